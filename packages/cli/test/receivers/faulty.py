"""The receiver of right.py with faults that real receivers have, each by its name."""

import hashlib
import hmac
import json

from right import Receiver, Refusal, serve


class FaultyReceiver(Receiver):
    faults = ()

    def check_head(self):
        super().check_head()
        if "no-limit" in self.faults:
            self.max_bytes = 1 << 40
            self.body_seconds = 3600.0

    def check_signature(self, body):
        lines = self.headers.get_all("X-Service-Integrity", [])
        if lines == [] and "missing" in self.faults:
            return
        if "unknown-first" in self.faults and self.is_of_unknown_type(body):
            return
        if "written-again" in self.faults:
            body = self.written_again(body)
        if "prefix" in self.faults and len(lines) == 1:
            expected = hmac.new(self.secret, body, hashlib.sha256).hexdigest()
            # As many characters as there are, like strncmp with the length of what was given.
            if expected.startswith(lines[0]):
                return
        super().check_signature(body)

    def written_again(self, body):
        try:
            value = json.loads(body)
        except (ValueError, RecursionError):
            raise Refusal(400) from None
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()

    def is_of_unknown_type(self, body):
        known = ("security_event", "pulse", "security_response", "test")
        try:
            payloads = json.loads(body)
            return any(payload["service_payload_type"] not in known for payload in payloads)
        except (ValueError, RecursionError, TypeError, KeyError):
            return False


if __name__ == "__main__":
    serve(FaultyReceiver)
