"""Payouts: what a bet is, pays and costs, in exact numbers."""
