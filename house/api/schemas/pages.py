"""Pages of a list: items and the link to what follows."""

from typing import Annotated, Generic, TypeVar

from pydantic import Field

from house.api.schemas.fields import Answered

ItemT = TypeVar("ItemT")

PAGE = 500
"""Greatest number of items of a page."""


class Page(Answered, Generic[ItemT]):
    """One page of a list."""

    items: list[ItemT]
    next: Annotated[
        str | None,
        Field(description="Link to the next page; null on the last", examples=["/v1/players?after=ann&limit=2"]),
    ]
