"""The demo's way to the house: one HTTP connection, each request by whoever would ask, each write with its own key."""

import hashlib
import http.client
import json
from collections.abc import Mapping
from urllib.parse import urlsplit

from house.demo.script import Answer, Ask, post
from house.demo.staff import SECOND, Employee, on_duty

TIMEOUT_S = 300


class Refused(Exception):
    """The house refused a request of the demo, or made a mistake: either ends the story."""


class Client:
    """A client with a name, from which its keys are made.

    Parameters
    ----------
    address
        Like http://127.0.0.1:8000.
    staff
        The people of the house, by id.
    """

    def __init__(self, address: str, name: str, staff: Mapping[str, Employee]) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=TIMEOUT_S)
        self._name, self._staff = name, staff
        self._asked = 0

    def __call__(self, ask: Ask) -> Answer:
        """Ask and return the answer.

        Raises
        ------
        Refused
            For any answer that is not 2xx.
        """
        headers = {"Accept": "application/json", "Authorization": f"Bearer {self._staff[on_duty(ask)].key}"}
        if ask.method != "GET":
            self._asked += 1
            headers["Idempotency-Key"] = f"{self._name}-{self._asked}"
        body = json.dumps(ask.body).encode() if ask.body else None
        if body is not None:
            headers["Content-Type"] = "application/json"
        if ask.approved:
            headers["Second-Person"] = self._approval(ask, body or b"")
        try:
            status, text = self._exchange(ask.method, f"/v1{ask.path}", body, headers)
        except ConnectionError:  # a server lets an idle connection go; the key makes the repeat safe
            self.close()
            status, text = self._exchange(ask.method, f"/v1{ask.path}", body, headers)
        if status >= 300:
            raise Refused(f"{ask.method} {ask.path}: {status} {text.decode('utf-8', 'replace')}")
        answer: Answer = json.loads(text)
        return answer

    def _approval(self, ask: Ask, body: bytes) -> str:
        """Let the second person approve a request with his own password."""
        second = self._staff[SECOND]
        content = hashlib.sha256(f"{ask.method} /v1{ask.path}\n".encode() + body).hexdigest()
        given = {"person": second.id, "password": second.password, "operation": ask.approved, "content": content}
        approval: str = self(post("/approvals", **given))["approval"]
        return approval

    def _exchange(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
        self._connection.request(method, path, body, headers)
        response = self._connection.getresponse()
        return response.status, response.read()

    def close(self) -> None:
        """Let the connection go."""
        self._connection.close()
