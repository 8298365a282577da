/* The same numbers from Coq and from C: proofs/coq/Examples.v computes exact laws of small games and its build keeps
 * them in proofs/coq/expected_law.txt; here every coin that matters is tried on the core and the outcomes are counted.
 *
 * Lines of that file: `meter`, `classic` or `both`, then the plan (silence | threshold, query with their lowest outcome
 * first, width | silence, named), `claim` (the seven numbers of fumata_claim), `game LIMIT (WINNER DISTANCE)...`, of both
 * kinds `game SILENCES ANSWERS (m WINNER DISTANCE | t WINNER LOSER DISTANCE)...`, and under it one
 * `law NUMERATOR DENOMINATOR ANSWER...` for each transcript, -1 for silence. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fumata.h"
#include "support/suite.h"

#define LAWS    "proofs/coq/expected_law.txt"
#define QUERIES 4u                  /* no game is longer */
#define TOTAL   (UINT64_C(1) << 48) /* weight of all coins: every draw divides it exactly */

/* The entries of the tables are multiples of 2^58 (meter, both) or 2^61 (classic), so 64 or 8 coins stand for all. */
#define COINS(g)   ((g)->is_classic ? 8u : 64u)
#define COIN(g, i) ((uint64_t)(i) << ((g)->is_classic ? 61 : 58))

typedef struct {
  int is_classic, is_both;
  uint64_t silence[8], named[8], threshold[8], query[8];
  uint32_t silence_size, named_size, answers;
  int is_duel[QUERIES];
  fumata_duel duel[QUERIES];
  fumata_classic_plan classic;
  fumata_claim claim;
  uint32_t limit, queries;
  fumata_verdict verdict[QUERIES];
} game;

typedef struct {
  char text[64];
  uint64_t weight;
  int is_claimed;
} outcome;

static outcome seen[64];
static unsigned seen_count;

static void record(const int32_t *answers, uint32_t count, uint64_t weight) {
  char text[64] = "";
  unsigned k;
  for (uint32_t i = 0; i < count; i++)
    sprintf(text + strlen(text), " %d", (int)answers[i]);
  for (k = 0; k < seen_count && strcmp(seen[k].text, text); k++)
    continue;
  if (k == seen_count) {
    ck_assert_uint_lt(seen_count, 64);
    strcpy(seen[seen_count++].text, text);
  }
  seen[k].weight += weight;
}

static void play_meter(const game *g, fumata_meter meter, uint32_t at, int32_t *answers, uint64_t weight) {
  if (at == QUERIES || at == g->queries || (!meter.reserved && fumata_meter_reserve(&meter, 1) != FUMATA_OK)) {
    record(answers, at, weight);
    return;
  }
  for (unsigned i = 0; i < COINS(g); i++) {
    fumata_meter next = meter;
    ck_assert_int_eq(fumata_meter_answer(&next, &g->verdict[at], COIN(g, i), &answers[at]), FUMATA_OK);
    play_meter(g, next, at + 1, answers, weight / COINS(g));
  }
}

static void play_classic(const game *g, fumata_classic classic, uint32_t at, int32_t *answers, uint64_t weight) {
  if (at == QUERIES || at == g->queries || (!classic.reserved && !classic.left)) {
    record(answers, at, weight);
    return;
  }
  for (unsigned i = 0; i < COINS(g); i++) {
    fumata_classic next = classic;
    if (classic.reserved) {
      ck_assert_int_eq(fumata_classic_answer(&next, &g->verdict[at], COIN(g, i), &answers[at]), FUMATA_OK);
      play_classic(g, next, at + 1, answers, weight / COINS(g));
    } else {
      ck_assert_int_eq(fumata_classic_reserve(&next, COIN(g, i)), FUMATA_OK);
      play_classic(g, next, at, answers, weight / COINS(g));
    }
  }
}

/* Pays for the query at `at`, if nothing is reserved for it. */
static fumata_status pay(const game *g, fumata_budget *budget, uint32_t at) {
  if (g->is_duel[at]) return budget->toll.reserved ? FUMATA_OK : fumata_toll_reserve(&budget->toll, 1);
  return budget->meter.reserved ? FUMATA_OK : fumata_meter_reserve(&budget->meter, 1);
}

static void play_both(const game *g, fumata_budget budget, uint32_t at, int32_t *answers, uint64_t weight) {
  if (at == QUERIES || at == g->queries || pay(g, &budget, at) != FUMATA_OK) {
    record(answers, at, weight);
    return;
  }
  for (unsigned i = 0; i < COINS(g); i++) {
    fumata_budget next = budget;
    fumata_status status = g->is_duel[at] ? fumata_toll_answer(&next.toll, &g->duel[at], COIN(g, i), &answers[at])
                                          : fumata_meter_answer(&next.meter, &g->verdict[at], COIN(g, i), &answers[at]);
    ck_assert_int_eq(status, FUMATA_OK);
    play_both(g, next, at + 1, answers, weight / COINS(g));
  }
}

static void play(game *g) {
  int32_t answers[QUERIES];
  memset(seen, 0, sizeof seen);
  seen_count = 0;
  if (g->is_classic) {
    fumata_classic classic;
    g->classic.limit = g->limit;
    ck_assert_int_eq(fumata_classic_init(&classic, &g->classic, &g->claim), FUMATA_OK);
    play_classic(g, classic, 0, answers, TOTAL);
  } else if (g->is_both) {
    fumata_budget_plan plan = {{g->silence, g->silence_size, g->limit}, {g->named, g->named_size, g->answers}};
    fumata_budget budget;
    ck_assert_int_eq(fumata_budget_init(&budget, &plan, &g->claim), FUMATA_OK);
    play_both(g, budget, 0, answers, TOTAL);
  } else {
    fumata_meter_plan plan = {g->silence, g->silence_size, g->limit};
    fumata_meter meter;
    ck_assert_int_eq(fumata_meter_init(&meter, &plan, &g->claim), FUMATA_OK);
    play_meter(g, meter, 0, answers, TOTAL);
  }
}

/* What the core did and Coq did not list. */
static void close_game(void) {
  for (unsigned k = 0; k < seen_count; k++)
    ck_assert_msg(seen[k].is_claimed, "no law for%s", seen[k].text);
}

static uint32_t numbers(const game *g, char *text, uint64_t *out, uint32_t most) {
  uint32_t count = 0;
  for (char *end; count < most; text = end, count++) {
    out[count] = strtoull(text, &end, 10);
    if (end == text) break;
    ck_assert_uint_eq(out[count] & (COIN(g, 1) - 1), 0);
  }
  return count;
}

static void table(const game *g, char *text, fumata_noise *noise, uint64_t *cdf) {
  char *rest;
  noise->first = strtoll(text, &rest, 10);
  noise->cdf = cdf;
  noise->size = numbers(g, rest, cdf, 8);
}

static void law(char *text) {
  char *rest;
  uint64_t numerator = strtoull(text, &rest, 10), denominator = strtoull(rest, &rest, 10);
  unsigned k;
  rest[strcspn(rest, "\n")] = 0;
  for (k = 0; k < seen_count && strcmp(seen[k].text, rest); k++)
    continue;
  ck_assert_msg(k < seen_count, "the core never answers%s", rest);
  ck_assert_uint_eq(TOTAL % denominator, 0);
  ck_assert_uint_eq(seen[k].weight, numerator * (TOTAL / denominator));
  seen[k].is_claimed = 1;
}

static void read_verdicts(game *g, char *rest) {
  char *end;
  for (g->queries = 0; g->queries < QUERIES; g->queries++, rest = end) {
    g->verdict[g->queries].winner = (uint32_t)strtoul(rest, &end, 10);
    if (end == rest) break;
    g->verdict[g->queries].distance = (uint32_t)strtoul(end, &end, 10);
  }
}

static void read_kinds(game *g, char *rest) {
  g->answers = (uint32_t)strtoul(rest, &rest, 10);
  for (g->queries = 0; g->queries < QUERIES; g->queries++) {
    fumata_verdict *verdict = &g->verdict[g->queries];
    fumata_duel *duel = &g->duel[g->queries];
    char kind;
    int used = 0;
    if (sscanf(rest, " %c%n", &kind, &used) != 1) break;
    rest += used;
    g->is_duel[g->queries] = kind == 't';
    if (kind == 't')
      ck_assert_int_eq(sscanf(rest, "%u %u %u%n", &duel->winner, &duel->loser, &duel->distance, &used), 3);
    else
      ck_assert_int_eq(sscanf(rest, "%u %u%n", &verdict->winner, &verdict->distance, &used), 2);
    rest += used;
  }
}

static void read_claim(game *g, const char *rest) {
  unsigned long long c[7];
  ck_assert_int_eq(sscanf(rest, "%llu %llu %llu %llu %llu %llu %llu", c, c + 1, c + 2, c + 3, c + 4, c + 5, c + 6), 7);
  g->claim = (fumata_claim){(uint32_t)c[0], (uint32_t)c[1], c[2], c[3], (uint32_t)c[4], c[5], c[6]};
}

START_TEST(test_laws_of_coq) {
  static game g;
  char line[512], word[16];
  unsigned laws = 0;
  FILE *file = fopen(LAWS, "r");
  ck_assert_msg(file != NULL, "run from the top of the tree: no " LAWS);
  while (fgets(line, sizeof line, file)) {
    char *rest = line;
    int used = 0;
    ck_assert_int_eq(sscanf(line, "%15s%n", word, &used), 1);
    rest += used;
    if (!strcmp(word, "law")) {
      law(rest);
      laws++;
    } else if (!strcmp(word, "meter") || !strcmp(word, "classic") || !strcmp(word, "both")) {
      g.is_classic = word[0] == 'c';
      g.is_both = word[0] == 'b';
    } else if (!strcmp(word, "silence")) {
      g.silence_size = numbers(&g, rest, g.silence, 8);
    } else if (!strcmp(word, "named")) {
      g.named_size = numbers(&g, rest, g.named, 8);
    } else if (!strcmp(word, "threshold")) {
      table(&g, rest, &g.classic.threshold, g.threshold);
    } else if (!strcmp(word, "query")) {
      table(&g, rest, &g.classic.query, g.query);
    } else if (!strcmp(word, "width")) {
      g.classic.width = strtoll(rest, NULL, 10);
    } else if (!strcmp(word, "claim")) {
      read_claim(&g, rest);
    } else if (!strcmp(word, "game")) {
      close_game();
      g.limit = (uint32_t)strtoul(rest, &rest, 10);
      (g.is_both ? read_kinds : read_verdicts)(&g, rest);
      play(&g);
    } else
      ck_abort_msg("%s: what is '%s'?", LAWS, word);
  }
  close_game();
  fclose(file);
  ck_assert_uint_ge(laws, 50);
}
END_TEST

SUITE_MAIN("law", test_laws_of_coq)
