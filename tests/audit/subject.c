#include "audit/subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/toss.h"

#define CLASSES    3u
#define BYSTANDERS 7u /* teachers who vote for the third class, and as many who abstain */

struct subject_ballot subject_ballot(int64_t gap) {
  uint32_t spread = 2u * (uint32_t)(gap < 0 ? -gap : gap) + (gap % 2 ? 21u : 20u), teachers = spread + 2 * BYSTANDERS;
  uint32_t first = (uint32_t)(((int64_t)spread + gap) / 2), counts[CLASSES];
  uint8_t *votes = malloc(teachers);
  struct subject_ballot ballot;
  if (!votes) exit(3);
  memset(votes, 1, spread);
  memset(votes, 0, first);
  memset(votes + spread, 2, BYSTANDERS);
  memset(votes + spread + BYSTANDERS, 255, BYSTANDERS);
  if (fumata_ballot_tally_u8(votes, teachers, CLASSES, counts) != FUMATA_OK ||
      fumata_ballot_decide(counts, CLASSES, &ballot.verdict) != FUMATA_OK ||
      fumata_ballot_duel(counts, CLASSES, 0, 1, &ballot.duel) != FUMATA_OK)
    exit(3);
  free(votes);
  return ballot;
}

static uint64_t subject_toss(struct subject *s) {
  return toss_word(s->coins);
}

void subject_begin(struct subject *s, const struct plan_box *plan) {
  const fumata_budget_plan both = {plan->meter, plan->toll};
  fumata_status status;
  memset(s, 0, sizeof *s);
  s->plan = plan;
  toss_begin(s->coins);
  if (plan->mechanism == PLAN_MECHANISM_METER)
    status = fumata_meter_init(&s->meter, &plan->meter, &plan->claim);
  else if (plan->mechanism == PLAN_MECHANISM_TOLL)
    status = fumata_toll_init(&s->toll, &plan->toll, &plan->claim);
  else if (plan->mechanism == PLAN_MECHANISM_BOTH)
    status = fumata_budget_init(&s->budget, &both, &plan->claim);
  else
    status = fumata_classic_init(&s->classic, &plan->classic, &plan->claim);
  if (status != FUMATA_OK) {
    printf("AUDIT FAILED: the core refuses the plan: %s\n", fumata_strerror(status));
    exit(1);
  }
}

static void subject_limit(const char *what, uint32_t number, uint32_t limit) {
  if (number <= limit) return;
  printf("AUDIT FAILED: %u %s left a machine that was paid for %u\n", (unsigned)number, what, (unsigned)limit);
  exit(1);
}

/* One query each, when there is something to pay it with: 1, or 0. */
static int subject_ask_meter(struct subject *s, fumata_meter *meter, const fumata_verdict *verdict, int32_t *answer) {
  if (!meter->reserved && fumata_meter_reserve(meter, 1) != FUMATA_OK) return 0;
  if (fumata_meter_answer(meter, verdict, subject_toss(s), answer) != FUMATA_OK) exit(3);
  return 1;
}

static int subject_ask_toll(struct subject *s, fumata_toll *toll, const fumata_duel *duel, int32_t *answer) {
  if (!toll->reserved && fumata_toll_reserve(toll, 1) != FUMATA_OK) return 0;
  if (fumata_toll_answer(toll, duel, subject_toss(s), answer) != FUMATA_OK) exit(3);
  return 1;
}

/* What came out of a life: labels and silences of the meter, first candidates and answers of the toll. */
struct subject_told {
  uint32_t labels, silences, firsts, answers;
};

/* Takes turns between the kinds while there is something left of either. */
static struct subject_told subject_live(struct subject *s, fumata_meter *meter, fumata_toll *toll,
                                        const struct subject_ballot ballots[2]) {
  struct subject_told told = {0, 0, 0, 0};
  int32_t answer;
  int is_metered = 1, is_tolled = 1;
  while (is_metered || is_tolled) {
    if (is_metered && (is_metered = meter && subject_ask_meter(s, meter, &ballots[0].verdict, &answer)))
      answer == FUMATA_SILENT ? told.silences++ : told.labels++;
    if (is_tolled && (is_tolled = toll && subject_ask_toll(s, toll, &ballots[1].duel, &answer)))
      told.answers++, told.firsts += answer == 0;
  }
  subject_limit("silences", told.silences, meter ? meter->plan.limit : 0);
  subject_limit("answers", told.answers, toll ? toll->plan.limit : 0);
  return told;
}

static size_t subject_repeat_classic(struct subject *s, const struct laws *laws, const struct subject_ballot *ballot) {
  fumata_classic classic = s->classic;
  size_t score = 0;
  uint32_t silences = 0;
  int32_t answer;
  while (fumata_classic_reserve(&classic, subject_toss(s)) == FUMATA_OK) {
    size_t labels = 0;
    for (; classic.reserved; labels += answer != FUMATA_SILENT)
      if (fumata_classic_answer(&classic, &ballot->verdict, subject_toss(s), &answer) != FUMATA_OK) exit(3);
    score += laws_stretch(laws, labels);
    silences++;
  }
  subject_limit("silences", silences, s->plan->classic.limit);
  return score;
}

size_t subject_repeat(struct subject *s, const struct laws *laws, const struct subject_ballot ballots[2]) {
  int is_both = s->plan->mechanism == PLAN_MECHANISM_BOTH;
  fumata_meter meter = is_both ? s->budget.meter : s->meter;
  fumata_toll toll = is_both ? s->budget.toll : s->toll;
  struct subject_told told;
  size_t outcome;
  if (s->plan->mechanism == PLAN_MECHANISM_CLASSIC) {
    outcome = subject_repeat_classic(s, laws, ballots);
  } else {
    told = subject_live(s, s->plan->mechanism == PLAN_MECHANISM_TOLL ? NULL : &meter,
                        s->plan->mechanism == PLAN_MECHANISM_METER ? NULL : &toll, ballots);
    outcome = is_both ? laws_both(laws, told.labels, told.firsts) : told.labels + told.firsts;
  }
  return outcome < laws->size ? outcome : laws->size - 1;
}

size_t subject_chased(struct subject *s, const struct game *game, const struct subject_ballot *ballots, int side) {
  fumata_meter meter = s->meter;
  fumata_toll toll = s->toll;
  uint32_t left = game->limit;
  int32_t score = 0, answer;
  for (int step = 0; step < GAME_STEPS; step++) {
    unsigned choice = game_choice(game, left, score);
    const struct game_move *move = &game->moves[choice];
    const struct subject_ballot *ballot;
    int is_first;
    if (choice == GAME_STOP) break;
    ballot = &ballots[side ? move->there : move->here];
    if (!(game->second_is_free ? subject_ask_meter(s, &meter, &ballot->verdict, &answer)
                               : subject_ask_toll(s, &toll, &ballot->duel, &answer)))
      exit(3);
    is_first = answer == (game->second_is_free ? FUMATA_SILENT : 0);
    if (!is_first && move->is_telling) return game->size - 1;
    score = game_clamp(game, score + (is_first ? move->first_shift : move->next_shift));
    left -= is_first || !game->second_is_free;
  }
  return (size_t)(score + game->reach);
}
