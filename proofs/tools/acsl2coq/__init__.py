"""The Coq definitions of what WP proves about the C code: reads specs/*.acsl and core/*.h, writes Coq (proofs/coq/generate)."""
