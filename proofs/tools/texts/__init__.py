"""The texts: one for all readers in core/, specs/ and proofs/wp/ (proofs/text), no dead row in specs/TRACE.md (proofs/trace)."""
