"""The surface of the API, as clients hold on to it: operations, statuses, parameters, fields, scopes.

`python -m tests.house.api.surface` writes it to tests/data/openapi.json; a change that would break a client is then
seen in the difference, and refused by a test until it is written so on purpose.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).resolve().parents[2] / "data" / "openapi.json"

Surface = dict[str, dict[str, Any]]


def surface(schema: Mapping[str, Any]) -> Surface:
    """Take the surface from an OpenAPI description, by operation."""
    found: Surface = {}
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            body = operation.get("requestBody", {}).get("content", {})
            done = [answer for status, answer in operation["responses"].items() if status < "300"]
            found[operation["operationId"]] = {
                "address": f"{method.upper()} {path}",
                "statuses": sorted(operation["responses"]),
                "scopes": sorted(
                    scope for one in operation.get("security", ()) for scopes in one.values() for scope in scopes
                ),
                "parameters": {
                    f"{one['in']} {one['name']}": one["required"] for one in operation.get("parameters", ())
                },
                "asked": dict(sorted(_fields(schema, body.values(), ""))),
                "answered": sorted(
                    name for one in done for name, _ in _fields(schema, one.get("content", {}).values(), "")
                ),
            }
    return dict(sorted(found.items()))


def _fields(schema: Mapping[str, Any], contents: Any, at: str) -> Iterator[tuple[str, bool]]:
    for content in contents:
        yield from _of(schema, content.get("schema", {}), at, ())


def _of(
    schema: Mapping[str, Any], rule: Mapping[str, Any], at: str, above: tuple[str, ...]
) -> Iterator[tuple[str, bool]]:
    """Fields of a rule with their pointers, and whether each must be given."""
    reference = rule.get("$ref")
    if reference is not None:
        if reference in above:
            return
        above = (*above, reference)
        rule = schema["components"]["schemas"][reference.rpartition("/")[2]]
    for other in (*rule.get("anyOf", ()), *rule.get("oneOf", ()), *rule.get("allOf", ())):
        yield from _of(schema, other, at, above)
    if "items" in rule:
        yield from _of(schema, rule["items"], f"{at}/*", above)
    for name, inner in rule.get("properties", {}).items():
        yield f"{at}/{name}", name in rule.get("required", ())
        yield from _of(schema, inner, f"{at}/{name}", above)


def breaks(before: Surface, after: Surface) -> list[str]:
    """Say what of an earlier surface a later one breaks."""
    found: list[str] = []
    for name, old in before.items():
        new = after.get(name)
        if new is None:
            found.append(f"{name} is gone")
            continue
        found += [
            f"{name}: {what} was {old[what]}, is {new[what]}"
            for what in ("address", "scopes")
            if old[what] != new[what]
        ]
        for what in ("statuses", "answered", "parameters", "asked"):
            found += [f"{name}: {what} lacks {one}" for one in old[what] if one not in new[what]]
        for what in ("parameters", "asked"):
            found += [
                f"{name}: {what} must have {one} now"
                for one, needed in new[what].items()
                if needed and not old[what].get(one, False)
            ]
    return found


def current() -> Surface:
    """The surface of the application as it is."""
    from house.app import create_app
    from house.settings import load_settings

    return surface(create_app(load_settings(environment={})).openapi())


def written(one: Surface) -> str:
    """The text of a surface, as it is kept."""
    return json.dumps(one, indent=1) + "\n"


if __name__ == "__main__":
    text = written(current())
    GOLDEN.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{len(text):,} characters in {GOLDEN.name}\n")
