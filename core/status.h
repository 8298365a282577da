/* What every function of the core can answer. */
#ifndef FUMATA_STATUS_H
#define FUMATA_STATUS_H

/* One cause each; a number, once given, keeps its meaning. */
typedef enum {
  FUMATA_OK = 0,
  FUMATA_ERR_CLASSES = -1,     /* number of classes outside 2..FUMATA_CLASSES_MAX */
  FUMATA_ERR_TEACHERS = -2,    /* more teachers than FUMATA_TEACHERS_MAX, or none */
  FUMATA_ERR_VOTE = -3,        /* a verdict or a pair of candidates that names no class; a vote abstains */
  FUMATA_ERR_TABLE = -4,       /* a table that is empty, too long or out of order */
  FUMATA_ERR_LIMIT = -5,       /* T, L or B outside 1..FUMATA_SILENCES_MAX, FUMATA_ANSWERS_MAX, FUMATA_POLL_VOTES_MAX */
  FUMATA_ERR_CLAIM = -6,       /* epsilon, delta, alpha, V or U out of range */
  FUMATA_ERR_UNCERTIFIED = -7, /* the plan does not keep the claim */
  FUMATA_ERR_LEFT = -8,        /* a stored number left that the plan cannot have */
  FUMATA_ERR_CLOSED = -9,      /* no reservation to answer from */
  FUMATA_ERR_SPENT = -10,      /* fewer left than were asked for, or none asked for */
  FUMATA_ERR_RESERVED = -11,   /* a reservation is held already */
  FUMATA_ERR_UNITS = -12,      /* more units than FUMATA_UNITS_MAX, or room for more than FUMATA_LEADS_MAX leads */
  FUMATA_ERR_QUESTION = -13,   /* a question without labels, or with a weight beyond its m */
  FUMATA_ERR_LIST = -14,       /* a list of units that does not ascend, or names one that there is not */
  FUMATA_ERR_FULL = -15,       /* no room for one more lead */
  FUMATA_ERR_UNSTORED = -16,   /* no lead whose uses are stored and that waits for its answer */
  FUMATA_ERR_DIMENSIONS = -17  /* dimensions that FUMATA_CROWD_LANES does not divide, too many, or not the centres' */
} fumata_status;

/* A status in words; for any other number, "unknown status". The text is constant and never NULL.
 *
 * Claim:    T-SAFE-1; the text is the one of this status, told apart by its first and its fourth letter.
 * Not here: the rest of the wording (tests/core/check_status.c). */
/*@ terminates \true; exits \false;
    assigns              \result \from status;
    ensures readable:    \valid_read(\result + (0 .. 63));
    ensures terminated:  \result[63] == 0;
    ensures done:        status == FUMATA_OK ==> \result[0] == 'd' && \result[3] == 'e';
    ensures classes:     status == FUMATA_ERR_CLASSES ==> \result[0] == 'c' && \result[3] == 's';
    ensures teachers:    status == FUMATA_ERR_TEACHERS ==> \result[0] == 'v' && \result[3] == 'e';
    ensures vote:        status == FUMATA_ERR_VOTE ==> \result[0] == 'a' && \result[3] == 'o';
    ensures table:       status == FUMATA_ERR_TABLE ==> \result[0] == 't' && \result[3] == 'l';
    ensures limit:       status == FUMATA_ERR_LIMIT ==> \result[0] == 's' && \result[3] == 'e';
    ensures claim:       status == FUMATA_ERR_CLAIM ==> \result[0] == 'e' && \result[3] == 'i';
    ensures uncertified: status == FUMATA_ERR_UNCERTIFIED ==> \result[0] == 't' && \result[3] == ' ';
    ensures left:        status == FUMATA_ERR_LEFT ==> \result[0] == 's' && \result[3] == 'r';
    ensures closed:      status == FUMATA_ERR_CLOSED ==> \result[0] == 'n' && \result[3] == 'r';
    ensures spent:       status == FUMATA_ERR_SPENT ==> \result[0] == 'n' && \result[3] == 's';
    ensures reserved:    status == FUMATA_ERR_RESERVED ==> \result[0] == 'a' && \result[3] == 'e';
    ensures units:       status == FUMATA_ERR_UNITS ==> \result[0] == 'u' && \result[3] == 't';
    ensures question:    status == FUMATA_ERR_QUESTION ==> \result[0] == 'q' && \result[3] == 's';
    ensures list:        status == FUMATA_ERR_LIST ==> \result[0] == 'l' && \result[3] == 't';
    ensures full:        status == FUMATA_ERR_FULL ==> \result[0] == 'l' && \result[3] == 'd';
    ensures unstored:    status == FUMATA_ERR_UNSTORED ==> \result[0] == 'n' && \result[3] == 'l';
    ensures dimensions:  status == FUMATA_ERR_DIMENSIONS ==> \result[0] == 'c' && \result[3] == 'r';
    ensures unknown:     status > FUMATA_OK || status < FUMATA_ERR_DIMENSIONS ==>
                         \result[0] == 'u' && \result[3] == 'n'; */
const char *fumata_strerror(int status);

#endif
