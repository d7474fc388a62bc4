"""Files with a secret of the house: made once, whole or not at all, and read by their owner alone."""

import os
import tempfile
from pathlib import Path


def make(file: Path, secret: str) -> bool:
    """Write a secret into a file that is not there; False where another process of this house was first."""
    descriptor, made = tempfile.mkstemp(dir=file.parent)  # mode 600
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as opened:
            opened.write(f"{secret}\n")
            opened.flush()
            os.fsync(opened.fileno())
        os.link(made, file)
    except FileExistsError:
        return False
    finally:
        Path(made).unlink()
    return True


def read(file: Path) -> str:
    """Read a secret. Raises ValueError for a file that others may read."""
    if file.stat().st_mode & 0o077:
        raise ValueError(f"{file} must be readable by its owner alone (chmod 600)")
    return file.read_text(encoding="ascii", errors="replace").strip()
