"""The dice laboratory: throw logs in, evidence out."""
