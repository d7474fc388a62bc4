"""A house that was opened once, with every shipped schedule published: tests copy it instead of judging them again."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from house.app import open_settings
from house.settings import load_settings

Opened = Callable[[Path], Path]


@pytest.fixture(scope="session")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    """Copy the house, with its key and checkpoints, into a folder; the path of its database."""
    folder = tmp_path_factory.mktemp("opened")
    open_settings(replace(load_settings(environment={}), database=f"sqlite:///{folder / 'house.db'}")).close()

    def copy(into: Path) -> Path:
        shutil.copytree(folder, into, dirs_exist_ok=True)
        return into / "house.db"

    return copy
