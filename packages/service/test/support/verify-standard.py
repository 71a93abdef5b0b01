"""Verifies a delivery signed by Standard Webhooks: exit code 0 if it is right, else 1.

Arguments: the secret and the headers webhook-id, webhook-timestamp and webhook-signature.
The body is standard input.
"""
import base64, hashlib, hmac, sys, time

WINDOW_SECONDS = 300


def key_of(secret):
    if secret.startswith("whsec_"):
        return base64.b64decode(secret[len("whsec_"):])
    return secret.encode()


def is_from_service(body, delivery_id, timestamp, signatures, secret):
    if not timestamp.isascii() or not timestamp.isdigit():
        return False
    if abs(time.time() - int(timestamp)) > WINDOW_SECONDS:
        return False
    content = f"{delivery_id}.{timestamp}.".encode() + body
    digest = hmac.new(key_of(secret), content, hashlib.sha256).digest()
    right = "v1," + base64.b64encode(digest).decode()
    return any(
        hmac.compare_digest(right.encode(), given.encode()) for given in signatures.split(" ")
    )


secret, delivery_id, timestamp, signatures = sys.argv[1:]
body = sys.stdin.buffer.read()
sys.exit(0 if is_from_service(body, delivery_id, timestamp, signatures, secret) else 1)
