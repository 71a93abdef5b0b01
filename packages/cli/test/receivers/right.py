"""A receiver of webhooks, with the standard library of Python alone."""

import argparse
import base64
import hashlib
import hmac
import json
import re
import socket
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DIGEST = re.compile(r"[0-9a-f]{64}\Z")
SECONDS = re.compile(r"[0-9]{1,11}\Z")
WINDOW_SECONDS = 300
MAX_PAYLOADS = 1000


class Refusal(Exception):
    def __init__(self, status):
        super().__init__(status)
        self.status = status


class Receiver(BaseHTTPRequestHandler):
    secret = b""
    max_bytes = 5 * 1024 * 1024
    body_seconds = 10.0

    def do_POST(self):
        try:
            self.check_head()
            body = self.read_body()
            self.check_signature(body)
            self.check_standard(body)
            self.handle_payloads(body)
            self.answer(204)
        except Refusal as refusal:
            self.answer(refusal.status)
        except OSError:
            self.close_connection = True

    def refuse_method(self):
        self.answer(405, [("Allow", "POST")])

    do_GET = do_HEAD = do_PUT = do_PATCH = do_DELETE = refuse_method

    def check_head(self):
        if self.headers.get_content_type() != "application/json":
            raise Refusal(415)
        charset = self.headers.get_param("charset", "utf-8")
        if str(charset).lower() != "utf-8":
            raise Refusal(415)
        if self.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
            raise Refusal(415)

    def check_signature(self, body):
        lines = self.headers.get_all("X-Service-Integrity", [])
        # Blanks around the value of a header belong to HTTP.
        given = lines[0].strip(" \t") if len(lines) == 1 else ""
        expected = hmac.new(self.secret, body, hashlib.sha256).hexdigest()
        if not DIGEST.match(given) or not hmac.compare_digest(given, expected):
            raise Refusal(401)

    def check_standard(self, body):
        """Standard Webhooks, which a sender may add: one of its signatures has to match."""
        signatures = self.headers.get("webhook-signature")
        if signatures is None:
            return
        name = self.headers.get("webhook-id", "")
        timestamp = self.headers.get("webhook-timestamp", "")
        if name == "" or not SECONDS.match(timestamp):
            raise Refusal(401)
        if abs(time.time() - int(timestamp)) > WINDOW_SECONDS:
            raise Refusal(401)
        content = f"{name}.{timestamp}.".encode() + body
        digest = hmac.new(self.secret, content, hashlib.sha256).digest()
        expected = b"v1," + base64.b64encode(digest)
        matches = [hmac.compare_digest(one.encode(), expected) for one in signatures.split(" ")]
        if not any(matches):
            raise Refusal(401)

    def handle_payloads(self, body):
        try:
            payloads = json.loads(body.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            raise Refusal(400) from None
        if not isinstance(payloads, list) or len(payloads) > MAX_PAYLOADS:
            raise Refusal(400)
        for payload in payloads:
            if isinstance(payload, dict):
                self.handle_payload(payload)

    def handle_payload(self, payload):
        """An application would look at `service_payload_type` here."""

    def read_body(self):
        self.ends = time.monotonic() + self.body_seconds
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            return self.read_chunks()
        length = self.headers.get("Content-Length", "")
        if not re.match(r"[0-9]+\Z", length):
            raise Refusal(411)
        if int(length) > self.max_bytes:
            raise Refusal(413)
        return self.read_exactly(int(length))

    def read_chunks(self):
        body = b""
        while True:
            size = self.read_line().split(b";")[0].strip()
            if not re.match(rb"[0-9a-fA-F]{1,8}\Z", size):
                raise Refusal(400)
            if len(body) + int(size, 16) > self.max_bytes:
                raise Refusal(413)
            chunk = self.read_exactly(int(size, 16))
            if chunk == b"":
                # Trailers, up to the empty line. They count for nothing.
                while self.read_line().strip() != b"":
                    pass
                return body
            body += chunk
            self.read_line()

    def read_line(self):
        line = b""
        while not line.endswith(b"\n") and len(line) < 1000:
            line += self.read_exactly(1)
        return line

    def read_exactly(self, length):
        body = bytearray()
        while len(body) < length:
            left = self.ends - time.monotonic()
            if left <= 0:
                raise Refusal(408)
            self.connection.settimeout(left)
            try:
                chunk = self.rfile.read1(length - len(body))
            except (socket.timeout, TimeoutError):
                raise Refusal(408) from None
            if chunk == b"":
                raise Refusal(400)
            body += chunk
        return bytes(body)

    def answer(self, status, headers=()):
        self.close_connection = True
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    # More deliveries may come at once than the five that wait by default.
    request_queue_size = 128


def serve(receiver=Receiver):
    options = argparse.ArgumentParser()
    options.add_argument("--secret-file", required=True)
    options.add_argument("--body-seconds", type=float, default=10.0)
    options.add_argument("--fault", action="append", default=[])
    given = options.parse_args()
    with open(given.secret_file, "rb") as file:
        receiver.secret = file.read().rstrip(b"\r\n")
    receiver.body_seconds = given.body_seconds
    receiver.faults = given.fault
    server = Server(("127.0.0.1", 0), receiver)
    print(f"http://127.0.0.1:{server.server_address[1]}/hook", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    serve()
