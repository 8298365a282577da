#include "learn/committee.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/votes.h"
#include "learn/ensemble.h"

#define COMMITTEE_MAX  1000u             /* members */
#define COMMITTEE_SIZE 8                 /* bytes of a size */
#define COMMITTEE_ROOM ((size_t)1 << 24) /* bytes of members' votes at a time, unless one query has more */

/* ---- its text ---- */

/* "25,logistic:C=3" */
static int committee_parse(struct learner *learner, const char *option, const char *text) {
  size_t length = text ? strcspn(text, ",") : 0;
  char names[LEARNER_NAMES];
  double members = 0;
  int code;
  if (!text || number_parse(text, length, &members) != NUMBER_OK || members != floor(members) || members < 2 ||
      members > COMMITTEE_MAX)
    return error_report(EXIT_INPUT, "%s: a committee has 2 to %u members, as in committee:25,logistic", option,
                        COMMITTEE_MAX);
  code = learner_parse(learner, option, text[length] ? text + length + 1 : "logistic");
  if (!code && !(learner->kind->traits & LEARNER_MEMBER))
    code = error_report(EXIT_INPUT, "%s: a committee is of %s", option, learner_names(LEARNER_MEMBER, names));
  learner->member = learner->kind;
  learner->kind = &learner_committee;
  learner->members = (uint32_t)members;
  return code;
}

static void committee_print(const struct learner *learner, char *text, size_t size) {
  struct learner member = learner_member(learner);
  size_t used = (size_t)snprintf(text, size, "%u,", learner->members);
  learner_print(&member, text + used, size - used);
}

/* ---- learning ---- */

/* A fixed generator (splitmix64): its numbers look independent, for successive states and for different seeds. */
static uint64_t committee_next(uint64_t *state) {
  uint64_t word = *state += UINT64_C(0x9e3779b97f4a7c15);
  word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
  return word ^ word >> 31;
}

/* How often a row counts: Poisson of mean 1, by the inverse of its distribution. */
static uint32_t committee_draw(uint64_t *state) {
  static const uint32_t below[] = {1580030169u, 3160060337u, 3950075422u, 4213413783u, 4279248373u, 4292415292u};
  uint32_t word = (uint32_t)committee_next(state), times = 0;
  while (times < sizeof below / sizeof *below && word >= below[times])
    times++;
  return times;
}

/* The entries of one member's sample, in arrays with room for all. */
static void committee_sample(const struct lesson *lesson, uint64_t seed, struct lesson *sample, size_t *row,
                             int32_t *label, uint32_t *times) {
  uint64_t state = committee_next(&seed);
  uint32_t drawn = 0;
  size_t count = 0;
  for (size_t e = 0; e < lesson->count; e++) {
    if (e == 0 || lesson->row[e] != lesson->row[e - 1]) drawn = committee_draw(&state);
    if (!drawn) continue;
    row[count] = lesson->row[e];
    label[count] = lesson_label(lesson, e);
    times[count++] = drawn * (uint32_t)lesson_times(lesson, e);
  }
  *sample = (struct lesson){.rows = lesson->rows,
                            .row = row,
                            .label = label,
                            .times = times,
                            .share = lesson->times ? lesson->share : 1,
                            .count = count};
}

static int committee_append(struct learned *learned, const struct learned *member) {
  size_t size = learned->size + COMMITTEE_SIZE + member->size;
  unsigned char *grown = realloc(learned->bytes, size), *end;
  if (!grown) return memory_short();
  end = grown + learned->size;
  for (int i = 0; i < COMMITTEE_SIZE; i++)
    end[i] = (unsigned char)((uint64_t)member->size >> (8 * i));
  if (member->size) memcpy(end + COMMITTEE_SIZE, member->bytes, member->size);
  learned->bytes = grown;
  learned->size = size;
  return EXIT_OK;
}

static int committee_train(const struct learner *learner, const struct lesson *lesson, struct learned *learned) {
  struct learner single = learner_member(learner);
  uint32_t *times = NULL;
  int32_t *label = NULL;
  size_t *row = NULL;
  int code = memory_take(&row, lesson->count, sizeof *row);
  if (!code) code = memory_take(&label, lesson->count, sizeof *label);
  if (!code) code = memory_take(&times, lesson->count, sizeof *times);
  for (uint32_t m = 0; !code && m < learner->members; m++) {
    struct learned member = {0};
    struct lesson sample;
    committee_sample(lesson, m + 1, &sample, row, label, times);
    code = learner_train(&single, &sample, &member);
    if (!code) code = committee_append(learned, &member);
    learned_free(&member);
  }
  free(row);
  free(label);
  free(times);
  if (code) learned_free(learned);
  return code;
}

int committee_open(const struct learned *learned, uint32_t members, struct learned *member) {
  const unsigned char *at = learned->bytes;
  size_t left = learned->size;
  memset(member, 0, members * sizeof *member);
  if (!left) return EXIT_OK;
  for (uint32_t m = 0; m < members; m++) {
    uint64_t size;
    int code;
    if (left < COMMITTEE_SIZE) return EXIT_INPUT;
    size = bytes_little(at, COMMITTEE_SIZE);
    at += COMMITTEE_SIZE;
    left -= COMMITTEE_SIZE;
    if (size > left) return EXIT_INPUT;
    code = learned_set(&member[m], at, (size_t)size);
    if (code) return code;
    at += size;
    left -= size;
  }
  return left ? EXIT_INPUT : EXIT_OK;
}

static int committee_fits(const struct learner *learner, const struct learned *learned) {
  struct learner single = learner_member(learner);
  struct learned *member;
  int fits = memory_take(&member, learner->members, sizeof *member) == EXIT_OK;
  if (!fits) return 0;
  fits = committee_open(learned, learner->members, member) == EXIT_OK;
  for (uint32_t m = 0; m < learner->members; m++) {
    fits = fits && learner_fits(&single, &member[m]);
    learned_free(&member[m]);
  }
  free(member);
  return fits;
}

/* ---- voting ---- */

/* The members of all committees, as one ensemble: those of the first committee, then those of the second, ... */
struct committee_members {
  struct learner learner;
  struct ensemble ensemble;
};

static int committee_open_all(struct ensemble *ensemble) {
  uint32_t members = ensemble->learner->members;
  struct committee_members *inner;
  int code = memory_take(&ensemble->all, 1, sizeof *inner);
  if (code) return code;
  inner = ensemble->all;
  inner->learner = learner_member(ensemble->learner);
  inner->ensemble.learner = &inner->learner;
  inner->ensemble.may_abstain = 1; /* a member abstains if its sample was empty */
  code = memory_take(&inner->ensemble.learned, (size_t)ensemble->teachers * members, sizeof(struct learned));
  if (code) return code;
  inner->ensemble.teachers = ensemble->teachers * members;
  for (uint32_t t = 0; !code && t < ensemble->teachers; t++) {
    code = committee_open(&ensemble->learned[t], members, inner->ensemble.learned + (size_t)t * members);
    if (ensemble->teachers > 1) learned_free(&ensemble->learned[t]);
  }
  return code ? code : ensemble_ready(&inner->ensemble);
}

static void committee_close_all(void *all) {
  ensemble_free(&((struct committee_members *)all)->ensemble);
  free(all);
}

/* How often the members at `first` name each class. */
static void committee_count(const struct ensemble *inner, const void *votes, size_t first, uint32_t members,
                            uint32_t *counts) {
  memset(counts, 0, inner->learner->classes * sizeof *counts);
  for (uint32_t m = 0; m < members; m++) {
    uint32_t label = ensemble_label(inner, votes, first + m);
    if (label < inner->learner->classes) counts[label]++;
  }
}

/* The label that most members name, the smaller of two equals. A committee abstains if none of its members names a label. */
static int committee_vote_all(const struct ensemble *ensemble, const struct rows *rows, size_t first, size_t count,
                              void *votes) {
  const struct ensemble *inner = &((struct committee_members *)ensemble->all)->ensemble;
  uint32_t members = ensemble->learner->members, classes = ensemble->learner->classes, *counts = NULL;
  size_t row = inner->teachers * ensemble_width(ensemble), block = row < COMMITTEE_ROOM ? COMMITTEE_ROOM / row : 1;
  void *room = NULL;
  int code = memory_take(&room, block, row);
  if (!code) code = memory_take(&counts, classes, sizeof *counts);
  for (size_t done = 0; !code && done < count; done += block) {
    size_t size = count - done < block ? count - done : block, at = done * ensemble->teachers;
    code = ensemble_vote(inner, rows, first + done, size, room);
    for (size_t i = 0; !code && i < size * ensemble->teachers; i++) {
      uint32_t best = 0;
      committee_count(inner, room, i * members, members, counts);
      for (uint32_t c = 1; c < classes; c++)
        if (counts[c] > counts[best]) best = c;
      ensemble_put(ensemble, votes, at + i, counts[best] || !ensemble->may_abstain ? best : VOTES_ABSTAIN);
    }
  }
  free(room);
  free(counts);
  return code;
}

static int committee_score(const struct ensemble *single, const struct rows *rows, float *score) {
  const struct ensemble *inner = &((struct committee_members *)single->all)->ensemble;
  uint32_t members = single->learner->members, classes = single->learner->classes, *counts = NULL;
  void *votes = NULL;
  int code = memory_take(&votes, rows->count * members, ensemble_width(inner));
  if (!code) code = memory_take(&counts, classes, sizeof *counts);
  if (!code) code = ensemble_vote(inner, rows, 0, rows->count, votes);
  for (size_t i = 0; !code && i < rows->count; i++) {
    committee_count(inner, votes, i * members, members, counts);
    for (uint32_t c = 0; c < classes; c++)
      score[i * classes + c] = (float)counts[c];
  }
  free(votes);
  free(counts);
  return code;
}

static int committee_print_weights(const struct learner *learner, const struct learned *learned, struct json *json) {
  struct learner single = learner_member(learner);
  struct learned *member;
  int code = memory_take(&member, learner->members, sizeof *member);
  if (!code) code = committee_open(learned, learner->members, member);
  for (uint32_t m = 0; !code && single.kind->print_weights && m < learner->members; m++)
    code = single.kind->print_weights(&single, &member[m], json);
  for (uint32_t m = 0; member && m < learner->members; m++)
    learned_free(&member[m]);
  free(member);
  return code;
}

const struct learner_kind learner_committee = {.name = "committee",
                                               .form = "committee:N,LEARNER",
                                               .traits = LEARNER_PROBABILITY | LEARNER_COUNTS,
                                               .parse = committee_parse,
                                               .print = committee_print,
                                               .train = committee_train,
                                               .fits = committee_fits,
                                               .open_all = committee_open_all,
                                               .vote_all = committee_vote_all,
                                               .close_all = committee_close_all,
                                               .score = committee_score,
                                               .print_weights = committee_print_weights};
