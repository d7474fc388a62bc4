"""The operator service: tables, bank, throw log, API and command line."""
