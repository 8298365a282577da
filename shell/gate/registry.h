/* Which private files have spent in which ledger, as far as this user knows: one file in the user's state folder
 * ($XDG_STATE_HOME/fumata, else ~/.local/state/fumata), so that a copy of a private file, or a second ledger for it, is noticed.
 *
 * A line is a digest and the path of a ledger. The digest has a key that lies in another file of that folder; both are the user's
 * alone to read. FUMATA_REGISTRY=off, or a folder that cannot be written to, and nothing is kept or said. */
#ifndef GATE_REGISTRY_H
#define GATE_REGISTRY_H

/* Says, in one line, when the same bytes have spent in another ledger that is still there, and notes this one. Never fails a run. */
void registry_note(const char *file, const char *ledger);

#endif
