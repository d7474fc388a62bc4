"""Style, script and mark of the console: files that a browser keeps, for their address changes with their content."""

from os import PathLike, stat_result
from pathlib import Path

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

KEPT = "public, max-age=31536000, immutable"
"""For an address with a fingerprint; another is asked for anew each time."""


class Assets(StaticFiles):
    """The files of `static`."""

    def __init__(self) -> None:
        super().__init__(directory=Path(__file__).parent / "static")

    def file_response(
        self, full_path: str | PathLike[str], stat_result: stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Answer with a file, which may be kept if it was asked for by its fingerprint."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["Cache-Control"] = KEPT if scope["query_string"] else "no-cache"
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response
