#include "learn/committee.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"

#define COMMITTEE_SIZE 8 /* bytes of a size */

/* A fixed generator (splitmix64): numbers that look independent from one state to the next and from seed to seed. */
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

/* The entries of one member's sample, in arrays that have room for all. */
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

int committee_train(const struct learner *learner, const struct lesson *lesson, struct learned *learned) {
  struct learner single = *learner;
  uint32_t *times = NULL;
  int32_t *label = NULL;
  size_t *row = NULL;
  int code = memory_take(&row, lesson->count, sizeof *row);
  if (!code) code = memory_take(&label, lesson->count, sizeof *label);
  if (!code) code = memory_take(&times, lesson->count, sizeof *times);
  single.members = 0;
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
