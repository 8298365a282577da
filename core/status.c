#include "status.h"

static const char fumata_status_texts[19][64] = {
    "done",
    "classes must number 2 to 1024",
    "votes must number 1 to 1000000",
    "a vote names no class, or a duel not two",
    "table is empty, too long or out of order",
    "silences (T), answers (L): 1 to 1000000; votes (B): to 65535",
    "epsilon, delta, alpha, V or U is out of range",
    "the plan does not keep the claim",
    "stored number left does not fit the plan",
    "no reservation to answer from",
    "no such number is left to reserve",
    "a reservation is held already",
    "units must number at most 67108864, leads at most 1048576",
    "question has no labels, or a weight beyond its m",
    "list of asked units does not ascend, or names none of them",
    "leads fill the queue",
    "no lead whose uses are stored waits for an answer",
    "coordinates of a point must number 16, 32, ... or 1024, alike",
    "unknown status",
};

const char *fumata_strerror(int status) {
  switch (status) {
  case FUMATA_OK:
    return fumata_status_texts[0];
  case FUMATA_ERR_CLASSES:
    return fumata_status_texts[1];
  case FUMATA_ERR_TEACHERS:
    return fumata_status_texts[2];
  case FUMATA_ERR_VOTE:
    return fumata_status_texts[3];
  case FUMATA_ERR_TABLE:
    return fumata_status_texts[4];
  case FUMATA_ERR_LIMIT:
    return fumata_status_texts[5];
  case FUMATA_ERR_CLAIM:
    return fumata_status_texts[6];
  case FUMATA_ERR_UNCERTIFIED:
    return fumata_status_texts[7];
  case FUMATA_ERR_LEFT:
    return fumata_status_texts[8];
  case FUMATA_ERR_CLOSED:
    return fumata_status_texts[9];
  case FUMATA_ERR_SPENT:
    return fumata_status_texts[10];
  case FUMATA_ERR_RESERVED:
    return fumata_status_texts[11];
  case FUMATA_ERR_UNITS:
    return fumata_status_texts[12];
  case FUMATA_ERR_QUESTION:
    return fumata_status_texts[13];
  case FUMATA_ERR_LIST:
    return fumata_status_texts[14];
  case FUMATA_ERR_FULL:
    return fumata_status_texts[15];
  case FUMATA_ERR_UNSTORED:
    return fumata_status_texts[16];
  case FUMATA_ERR_DIMENSIONS:
    return fumata_status_texts[17];
  default:
    return fumata_status_texts[18];
  }
}
