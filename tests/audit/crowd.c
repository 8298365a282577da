#include "audit/crowd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/toss.h"

#define CROWD_ABSTAINS 4u /* bystanders at the origin whose label weighs nothing */
#define CROWD_NEAREST  40 /* from the origin to the first of a group; even, so that half of it is a place */
#define CROWD_STEP     4
#define CROWD_HEARD    1000u /* unpaid answers that content an adversary */

enum { CROWD_LABEL_NOBODY, CROWD_LABEL_OTHERS, CROWD_LABEL_VICTIM, CROWD_LABELS, CROWD_LABEL_STRANGE = 9 };

static void *crowd_room(size_t count, size_t size) {
  void *room = calloc(count, size);
  if (!room) exit(3);
  return room;
}

/* ---- the crowd ---- */

/* Questions that are told apart: by group, lead, and whether the origin is in the ball. */
static size_t crowd_questions(const struct crowd *crowd) {
  return 2 * (size_t)crowd->groups * (crowd->longest + 1);
}

/* Where the n-th of a group stands, counted from 1, on the group's axis. */
static int16_t crowd_at(uint32_t group, uint32_t n) {
  int place = CROWD_NEAREST + CROWD_STEP * (int)(n - 1);
  return (int16_t)(group % 2 ? -place : place);
}

/* One more record of the unit that is being filled. */
static void crowd_add(struct crowd_side *side, uint32_t axis, int16_t place, uint16_t label) {
  side->records.places[(size_t)side->records.size * side->records.dimensions + axis] = place;
  side->labels[side->records.size++] = label;
}

static void crowd_add_victim(struct crowd_side *side) {
  crowd_add(side, 0, FUMATA_PLACE_MAX, CROWD_LABEL_NOBODY);
  crowd_add(side, 0, 0, CROWD_LABEL_VICTIM);
  crowd_add(side, 0, 0, CROWD_LABEL_OTHERS);
}

/* Groups first, then who abstains; the victim in the midst of all, so that others stand on either side of it. */
static void crowd_fill(const struct crowd *crowd, struct crowd_side *side) {
  uint32_t members = crowd->groups * crowd->longest, all = members + CROWD_ABSTAINS, unit = 0;
  for (uint32_t i = 0; i < all; i++) {
    uint32_t group = i / crowd->longest;
    if (i == all / 2 && side->victim != UINT32_MAX) {
      crowd_add_victim(side);
      side->victim = unit++;
      side->first[unit] = side->records.size;
    }
    if (i < members)
      crowd_add(side, group / 2, crowd_at(group, i % crowd->longest + 1), CROWD_LABEL_OTHERS);
    else
      crowd_add(side, 0, 0, i % 2 ? CROWD_LABEL_NOBODY : CROWD_LABEL_STRANGE);
    side->first[++unit] = side->records.size;
  }
}

static void crowd_make_side(struct crowd *crowd, int has_victim) {
  struct crowd_side *side = &crowd->sides[has_victim];
  uint32_t records = crowd->groups * crowd->longest + CROWD_ABSTAINS + 3;
  fumata_status status;
  side->victim = has_victim ? 0 : UINT32_MAX;
  side->units = crowd->groups * crowd->longest + CROWD_ABSTAINS + (uint32_t)has_victim;
  side->records.dimensions = crowd->dimensions;
  side->records.places = crowd_room((size_t)records * crowd->dimensions, sizeof *side->records.places);
  side->records.norms = crowd_room(records, sizeof *side->records.norms);
  side->labels = crowd_room(records, sizeof *side->labels);
  side->first = crowd_room(side->units + 1, sizeof *side->first);
  side->voices = crowd_room(crowd_questions(crowd), sizeof *side->voices);
  side->used = crowd_room(side->units, sizeof *side->used);
  side->stored = crowd_room(side->units, sizeof *side->stored);
  side->list = crowd_room(side->units + 1, sizeof *side->list);
  side->spoken = crowd_room(side->units + 1, sizeof *side->spoken);
  crowd_fill(crowd, side);
  if (fumata_crowd_settle(&side->records) != FUMATA_OK) exit(3);
  side->poll.uses = (fumata_uses){side->used, side->units};
  side->poll.leads = (fumata_leads){side->lead, 1};
  status = fumata_poll_init(&side->poll, &crowd->plan->toll, &crowd->plan->claim);
  if (status == FUMATA_OK) return;
  printf("AUDIT FAILED: the core refuses the plan: %s\n", fumata_strerror(status));
  exit(1);
}

void crowd_make(struct crowd *crowd, const struct plan_box *plan, uint32_t longest) {
  memset(crowd, 0, sizeof *crowd);
  crowd->plan = plan;
  crowd->longest = longest ? longest : 1;
  crowd->groups = plan_votes(plan) + 1;
  crowd->dimensions = (crowd->groups + 2 * FUMATA_CROWD_LANES - 1) / (2 * FUMATA_CROWD_LANES) * FUMATA_CROWD_LANES;
  toss_begin(crowd->coins);
  crowd_make_side(crowd, 0);
  crowd_make_side(crowd, 1);
}

void crowd_free(struct crowd *crowd) {
  for (int i = 0; i < 2; i++) {
    struct crowd_side *side = &crowd->sides[i];
    for (size_t n = 0; n < crowd_questions(crowd); n++) {
      free(side->voices[n].distances);
      free(side->voices[n].labels);
    }
    free(side->voices);
    free(side->first);
    free(side->records.places);
    free(side->records.norms);
    free(side->labels);
    free(side->used);
    free(side->stored);
    free(side->list);
    free(side->spoken);
  }
  memset(crowd, 0, sizeof *crowd);
}

/* ---- one question ---- */

/* A question as the adversary thinks of it. */
struct crowd_question {
  uint32_t group, base; /* the lead without the victim */
  int shift;            /* what the victim adds to it */
  enum crowd_way way;
};

/* The ball on the group's axis that holds the first `base` of it, and the origin unless it is to be elsewhere: its centre,
 * and its squared radius. The farthest of the group lies on its surface. */
static int16_t crowd_ball(const struct crowd_question *q, uint32_t *radius) {
  int far = q->base ? crowd_at(q->group, q->base) : 0;
  int near = q->way == CROWD_ELSEWHERE ? crowd_at(q->group, 1) : 0;
  int centre = (far + near) / 2 + (near == 0 ? (far < 0) - (far > 0) : 0);
  *radius = (uint32_t)((far - centre) * (far - centre));
  return (int16_t)centre;
}

/* Voices depend on the records and the question alone, so they are heard once. */
static const struct crowd_voices *crowd_find(const struct crowd *crowd, struct crowd_side *side,
                                             const struct crowd_question *q, int16_t centre) {
  size_t at = 2 * ((size_t)q->group * (crowd->longest + 1) + q->base) + (q->way == CROWD_ELSEWHERE);
  struct crowd_voices *voices = &side->voices[at];
  uint32_t *distances, norm;
  fumata_points point = {NULL, &norm, 1, crowd->dimensions};
  if (voices->distances) return voices;
  voices->distances = crowd_room(side->units, sizeof *voices->distances);
  voices->labels = crowd_room(side->units, sizeof *voices->labels);
  distances = crowd_room(side->records.size, sizeof *distances);
  point.places = crowd_room(crowd->dimensions, sizeof *point.places);
  point.places[q->group / 2] = centre;
  if (fumata_crowd_settle(&point) != FUMATA_OK || fumata_crowd_find(&side->records, &point, distances) != FUMATA_OK ||
      fumata_crowd_speak(side->first, side->units, distances, side->labels, voices->distances, voices->labels) !=
          FUMATA_OK)
    exit(3);
  free(point.places);
  free(distances);
  return voices;
}

/* Who is within the radius, as the adversary's own index has it; the victim `times` over. So is one who abstains, and is in
 * either crowd: whether that is taken tells nothing. */
static fumata_list crowd_list(struct crowd_side *side, const struct crowd_voices *voices, uint32_t radius, int times) {
  uint32_t n = 0;
  for (uint32_t r = 0; r < side->units; r++)
    for (int i = 0; voices->distances[r] <= radius && i < (r == side->victim || r + 1 == side->units ? times : 1);
         i++) {
      side->list[n] = r;
      side->spoken[n++] = voices->labels[r];
    }
  return (fumata_list){side->list, side->spoken, n};
}

/* The votes are counted and the lead waits; how many of the victim's. Weights are scaled and turned round from group to
 * group. */
static uint32_t crowd_vote(struct crowd *crowd, struct crowd_side *side, const struct crowd_question *q, int sign) {
  int most = q->way == CROWD_PART || q->group % 3 ? 7 : 1, part = q->way == CROWD_PART;
  const int16_t weights[CROWD_LABELS] = {0, (int16_t)(sign * most), (int16_t)(sign * q->shift * (most - part))};
  fumata_question question = {weights, CROWD_LABELS, (uint32_t)most, 0};
  int16_t centre = crowd_ball(q, &question.radius);
  const struct crowd_voices *heard = crowd_find(crowd, side, q, centre);
  fumata_voices voices = {heard->distances, heard->labels};
  for (int times = q->way == CROWD_LISTED ? 2 : 0; times; times--) {
    fumata_list list = crowd_list(side, heard, question.radius, times);
    if (fumata_poll_vote_listed(&side->poll, &question, &list) == FUMATA_OK) return (uint32_t)times;
  }
  if (q->way == CROWD_LISTED || fumata_poll_vote(&side->poll, &question, &voices) != FUMATA_OK) exit(3);
  return 1;
}

/* The process ends; the next one has what was stored. To certify the plan each time would be nearly all of the time: the
 * first crash of a life is in full, later ones set by hand what it leaves. */
static void crowd_crash(struct crowd *crowd, struct crowd_side *side) {
  memcpy(side->used, side->stored, side->units * sizeof *side->used);
  if (!side->is_resumed && fumata_poll_resume(&side->poll, &crowd->plan->toll, &crowd->plan->claim) != FUMATA_OK)
    exit(3);
  if (!side->is_resumed) side->resumed = side->poll;
  side->is_resumed = 1;
  side->poll = side->resumed;
}

static void crowd_look(struct crowd *crowd, const struct crowd_side *side) {
  for (uint32_t r = 0; r < side->units; r++)
    if (side->used[r] > crowd->most_votes) crowd->most_votes = side->used[r];
}

/* 1 if the answer is what the lead is for. *paid: the votes that the victim has spent, none if the answer was heard before the
 * uses were stored, which are lost then. */
static int crowd_ask(struct crowd *crowd, struct crowd_side *side, const struct crowd_question *q, uint32_t *paid) {
  int sign = q->group % 2 ? -1 : 1;
  uint32_t yes = 0;
  *paid = crowd_vote(crowd, side, q, sign);
  if (q->way == CROWD_CRASH && fumata_poll_answer(&side->poll, toss_word(crowd->coins), &yes) == FUMATA_OK) *paid = 0;
  if (*paid) {
    memcpy(side->stored, side->used, side->units * sizeof *side->used);
    if (fumata_poll_stored(&side->poll) != FUMATA_OK ||
        fumata_poll_answer(&side->poll, toss_word(crowd->coins), &yes) != FUMATA_OK)
      exit(3);
  }
  if (q->way == CROWD_CRASH)
    crowd_crash(crowd, side);
  else if (fumata_poll_clear(&side->poll) != FUMATA_OK)
    exit(3);
  return (int)yes == (sign > 0);
}

/* ---- a life ---- */

/* No vote yet. The state is set by hand: a certificate for every life would be nearly all of the time. */
static struct crowd_side *crowd_begin(struct crowd *crowd, int which) {
  struct crowd_side *side = &crowd->sides[which];
  memset(side->used, 0, side->units * sizeof *side->used);
  memset(side->stored, 0, side->units * sizeof *side->stored);
  side->is_resumed = 0;
  return side;
}

/* Which side it is, by the share of answers that were what the lead is for: as if all were, or none. */
static size_t crowd_guess(const struct crowd *crowd, const struct laws_place *place, double share, size_t all) {
  double here = 1 - plan_miss(crowd->plan, PLAN_KIND_POLL, place->here);
  double there = 1 - plan_miss(crowd->plan, PLAN_KIND_POLL, place->there);
  return share > (here + there) / 2 ? all : 0;
}

size_t crowd_repeat(struct crowd *crowd, const struct laws_place *place, enum crowd_way way, int which) {
  struct crowd_side *side = crowd_begin(crowd, which);
  uint32_t limit = plan_votes(crowd->plan), paid = 0, heard = 0, firsts = 0;
  uint32_t wanted = limit + (way == CROWD_MORE);
  struct crowd_question q = {0, place->here, (int)place->there - (int)place->here, way};
  if (way == CROWD_PART) q.shift = 1;
  while (paid < wanted && heard < CROWD_HEARD) {
    uint32_t spent;
    q.group = paid;
    firsts += (uint32_t)crowd_ask(crowd, side, &q, &spent);
    heard++;
    paid += spent;
  }
  crowd_look(crowd, side);
  return heard > wanted ? crowd_guess(crowd, place, (double)firsts / heard, wanted) : (size_t)firsts * wanted / heard;
}

size_t crowd_chased(struct crowd *crowd, const struct game *game, int which) {
  struct crowd_side *side = crowd_begin(crowd, which);
  uint32_t left = game->limit;
  int32_t score = 0;
  for (; left; left--) {
    unsigned choice = game_choice(game, left, score);
    const struct game_move *move = &game->moves[choice];
    struct crowd_question q = {game->limit - left, 0, 0, CROWD_FAIR};
    uint32_t spent;
    if (choice == GAME_STOP) break;
    q.base = move->here;
    q.shift = (int)move->there - (int)move->here;
    score = game_clamp(game, score + (crowd_ask(crowd, side, &q, &spent) ? move->first_shift : move->next_shift));
  }
  crowd_look(crowd, side);
  return (size_t)(score + game->reach);
}

int crowd_more_law(struct laws *laws, const struct plan_box *plan, const struct laws_place *place) {
  struct plan_box longer = *plan;
  struct laws life;
  double first = 1 - plan_miss(plan, PLAN_KIND_POLL, place->here);
  longer.toll.limit++;
  if (laws_make(&life, plan, place)) return -1;
  if (laws_make(laws, &longer, place)) return laws_free(&life), -1;
  /* Without the victim all questions are alike; with it the last one is as it is without. */
  memset(laws->there, 0, laws->size * sizeof *laws->there);
  for (size_t n = 0; n < life.size; n++) {
    laws->there[n] += life.there[n] * (1 - first);
    laws->there[n + 1] += life.there[n] * first;
  }
  laws_free(&life);
  return 0;
}
