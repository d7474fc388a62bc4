"""The shape of the repository: what stands where, how long it is, what it may say."""

import ast
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOP = {
    "pyproject.toml", "constraints.txt", "README.md", "ARCHITECTURE.md", "CHANGELOG.md", "Makefile", ".ci",
    ".gitignore",
    "config", "payouts", "integrity", "house", "tests",
}  # fmt: skip
PACKAGES = ("payouts", "integrity", "house")
LEFT_BEHIND = re.compile(r"\.git|\.venv|build|__pycache__|.*\.pyc|.*\.egg-info|\.(\w+_cache|hypothesis|schemathesis)")
FILE_LINES = 400
BODY_LINES = 40
# Bodies that are longer because they are one table or one flow that a cut would hide; each with its reason.
LONG_BODIES = {
    "integrity/kernel_numba.py:advance_flat": "one call that names every field of the flat state, a field a line",
}


def tracked() -> list[str]:
    """Files of the repository: as git lists them, or, without git, all that no tool leaves behind."""
    if shutil.which("git") and (ROOT / ".git").exists():
        asked = ["git", "-c", f"safe.directory={ROOT}", "ls-files"]
        listing = subprocess.run(asked, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        return [name for name in listing.splitlines() if (ROOT / name).exists()]
    found = [path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file()]
    return [str(path) for path in found if not any(LEFT_BEHIND.fullmatch(part) for part in path.parts)]


def sources() -> list[Path]:
    return sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def names(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


def test_the_top_level_holds_what_the_design_names_and_nothing_else() -> None:
    assert {name.split("/")[0] for name in tracked()} == TOP


def test_source_files_are_short_enough_to_read() -> None:
    lines = {name: len((ROOT / name).read_text().splitlines()) for name in names(sources())}
    assert len(lines) > 300
    assert {name: length for name, length in lines.items() if length > FILE_LINES} == {}


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from the first statement after the docstring to the last, both counted."""
    body = function.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and len(body) > 1:
        body = body[1:]
    return (body[-1].end_lineno or 0) - body[0].lineno + 1


def test_function_bodies_are_short_enough_to_read() -> None:
    long = {
        f"{name}:{node.name}": body_lines(node)
        for name in names(sources())
        for node in ast.walk(ast.parse((ROOT / name).read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and body_lines(node) > BODY_LINES
    }
    assert long.keys() == LONG_BODIES.keys()


def undocumented(tree: ast.Module) -> list[str]:
    """Public names of a module without a docstring, the module's own included."""
    public = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_")
    ]
    bare = [node.name for node in public if ast.get_docstring(node) is None]
    return bare if ast.get_docstring(tree) is not None or not tree.body else ["the module", *bare]


def test_every_public_name_of_a_room_has_a_docstring() -> None:
    assert undocumented(ast.parse("def open(): ...")) == ["the module", "open"]
    found = {name: undocumented(ast.parse((ROOT / name).read_text())) for name in names(sources())}
    assert {name: bare for name, bare in found.items() if bare} == {}


def test_no_tracked_file_names_a_registry_host_or_a_path_of_a_machine() -> None:
    registry = "|".join(("py" + "pi", "python" + "hosted", "npm" + "js"))
    machine = "|".join(("wo" + "rk", "fa" + "rm", "ro" + "ot"))
    forbidden = re.compile(rf"//[a-z.-]*({registry})[a-z.]*|(^|[^A-Za-z0-9_.])/({machine})/")
    found = [
        f"{name}:{number}"
        for name in tracked()
        if not name.endswith((".svg", ".png", ".parquet"))
        for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1)
        if forbidden.search(line)
    ]
    assert found == []


def test_no_source_or_test_is_left_unfinished_or_skipped() -> None:
    words = ("TO" + "DO", "FIX" + "ME", "XX" + "X", "NotImplemented" + "Error", "pytest.sk" + "ip", "xfa" + "il(")
    pattern = re.compile("|".join(rf"\b{re.escape(word)}" for word in words))
    found = [
        f"{name}:{number}"
        for name in tracked()
        if name.endswith(".py")
        for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    ]
    assert found == []


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found


def oracles() -> list[Path]:
    return sorted((ROOT / "tests" / "oracles").rglob("*.py"))


def test_an_oracle_imports_none_of_ours() -> None:
    assert oracles()
    assert {path.name: imports(path) & set(PACKAGES) for path in oracles() if imports(path) & set(PACKAGES)} == {}


def test_the_word_is_throw_and_never_roll() -> None:
    allowed = re.compile(
        r"roll(ed)?_?back|four_rolls|enrol|one.roll|rollback|four rolls|scroll|payroll|np\.roll|\"no roll\"",
        re.IGNORECASE,
    )
    word = re.compile(r"\broll(s|ed|ing)?\b", re.IGNORECASE)
    assert [name for name in names(sources()) if word.search(allowed.sub("", (ROOT / name).read_text()))] == []
