"""What the dice laboratory refuses, as a small tree.

LaboratoryError (a ValueError)
    ObservationError   columns that are not a batch of observations
    ReadError          a source that cannot be read at all: no columns, no such file, undeclared base
    TallyError         more names than a tally holds, or tallies that cannot be merged
    PlanError          a plan that an audit cannot be held to
    ProofError         a record, proof, key or checkpoint that is malformed or does not hold
"""


class LaboratoryError(ValueError):
    """Bad input to the laboratory: "argument must be rule, got value"."""


class ObservationError(LaboratoryError):
    """Columns that do not make a batch of observations."""


class ReadError(LaboratoryError):
    """A source that cannot be read at all; a single bad row is refused and counted instead."""


class TallyError(LaboratoryError):
    """More names than a tally holds, or two tallies that do not follow each other."""


class PlanError(LaboratoryError):
    """A plan that names what an audit cannot do."""


class ProofError(LaboratoryError):
    """A record, proof, key or checkpoint that is malformed or does not hold."""
