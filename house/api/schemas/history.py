"""The history and its proofs over the wire."""

from typing import Annotated

from pydantic import Field

from house.api.schemas.fields import Answered, Count

_HASH = "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9"
_NOTE = "floorman.example/history\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n— floorman.example/history ...\n"

_KEY = "floorman.example/history+f2869969+AQ=="

Hash = Annotated[str, Field(description="SHA-256 in hex", examples=[_HASH])]
Size = Annotated[Count, Field(description="Number of records in the tree", examples=[1000])]
Number = Annotated[Count, Field(description="Number of the record, from 0", examples=[17])]
Path = Annotated[list[Hash], Field(description="The proof by RFC 9162, from the leaf up")]


class Checkpoint(Answered):
    """The last signed checkpoint."""

    note: Annotated[str, Field(description="The signed note (C2SP tlog-checkpoint)", examples=[_NOTE])]
    key: Annotated[str, Field(description="Public key: name+hash+base64", examples=[_KEY])]
    size: Size
    root: Hash


class Record(Answered):
    """A record as it is kept and hashed."""

    record: Number
    kind: Annotated[str, Field(description="What it is a record of", examples=["throw"])]
    text: Annotated[str, Field(description="Canonical JSON; its bytes are what is hashed", examples=['{"v":1}'])]
    leaf: Hash


class Inclusion(Answered):
    """A record is in the tree."""

    record: Number
    size: Size
    leaf: Hash
    root: Hash
    path: Path


class Consistency(Answered):
    """One tree begins with another."""

    old: Size
    new: Size
    old_root: Hash
    new_root: Hash
    path: Path
