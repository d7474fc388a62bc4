"""Seeded play in bulk: the same machines that settle money, compiled to index arrays and thrown millions of times.

standing.py    standing orders under a schedule -> wagers
automaton.py   wagers -> one automaton over (state, throw), smallest that behaves the same
draws.py       the law of one or two throws -> an alias table over 32-bit draws
play.py        sessions of an automaton: counts of (state, throw), running net, low point
kernels.py     the inner loop compiled by numba, where the extra `fast` is installed
hooligan.py    games of Hooligan by the choices of a solved player
document.py    play -> values for JSON, the exact figures beside the simulated ones
accounts.py    counts -> accounts of every wager, with intervals
"""
