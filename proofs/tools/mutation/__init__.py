"""Edits of code, definitions and checkers, and whether the proofs notice (proofs/mutate)."""
