"""The Coq files: compiled, checked once more by coqchk, and what their text may not say (proofs/coq/build)."""
