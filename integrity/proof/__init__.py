"""A history that cannot be changed unseen: canonical records, a Merkle tree, signed checkpoints, offline checks.

records.py      a record <-> its one encoding in bytes (a subset of RFC 8785)
tree.py         RFC 9162: roots, inclusion and consistency proofs and their verification; a frontier that grows
notes.py        C2SP signed notes with Ed25519, and the checkpoint that they carry
offline.py      records against a checkpoint, with the public key alone: whether they hold, else the first bad record
"""
