"""Runs of Frama-C/WP, what both opinions make of them, and the tables that are printed (proofs/verify)."""
