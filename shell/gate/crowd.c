#include "gate/crowd.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "gate/target.h"

#define CROWD_ROOM     (UINT64_C(1) << 22) /* about how many distances are held at a time: 16 MB */
#define CROWD_LEAST    8u                  /* questions at a time: at least this, however many records ... */
#define CROWD_MOST     256u                /* ... and at most this, however few */
#define CROWD_ALONE    (UINT64_C(1) << 21) /* products that one core computes while another core starts */
#define CROWD_PORTIONS 4u                  /* centres that a thread takes at a time: the core's are four at once */
#define CROWD_LOOK     256u                /* units that are passed over at once if none of them is near */

/* A secret is wiped before its memory goes back. */
static void crowd_wipe(void *memory, size_t size) {
  if (memory) explicit_bzero(memory, size);
  free(memory);
}

static uint32_t crowd_groups(uint32_t records) {
  uint64_t groups = CROWD_ROOM / (records ? records : 1);
  return groups < CROWD_LEAST ? CROWD_LEAST : groups > CROWD_MOST ? CROWD_MOST : (uint32_t)groups / 4 * 4;
}

int crowd_init(struct crowd *crowd, uint32_t records, uint32_t dimensions, int has_units) {
  int code;
  memset(crowd, 0, sizeof *crowd);
  crowd->records.size = crowd->units = records;
  crowd->records.dimensions = dimensions;
  crowd->at_once = crowd_groups(records);
  code = memory_take(&crowd->records.places, (size_t)records * dimensions, sizeof *crowd->records.places);
  if (!code) code = memory_take(&crowd->records.norms, records, sizeof *crowd->records.norms);
  if (!code) code = memory_take(&crowd->labels, records, sizeof *crowd->labels);
  if (!code) code = memory_align(&crowd->distances, (size_t)records * crowd->at_once, sizeof *crowd->distances);
  if (!has_units) return code;
  if (!code) code = memory_take(&crowd->first, (size_t)records + 1, sizeof *crowd->first);
  if (!code) code = memory_take(&crowd->nearest, records, sizeof *crowd->nearest);
  if (!code) code = memory_take(&crowd->spoken, records, sizeof *crowd->spoken);
  return code;
}

void crowd_free(struct crowd *crowd) {
  size_t records = crowd->records.size;
  crowd_wipe(crowd->records.places, records * crowd->records.dimensions * sizeof *crowd->records.places);
  crowd_wipe(crowd->records.norms, records * sizeof *crowd->records.norms);
  crowd_wipe(crowd->labels, records * sizeof *crowd->labels);
  crowd_wipe(crowd->distances, records * crowd->at_once * sizeof *crowd->distances);
  crowd_wipe(crowd->first, (records + 1) * sizeof *crowd->first);
  crowd_wipe(crowd->nearest, records * sizeof *crowd->nearest);
  crowd_wipe(crowd->spoken, records * sizeof *crowd->spoken);
  memset(crowd, 0, sizeof *crowd);
}

static int crowd_refuse(fumata_status status) {
  return error_report(EXIT_INPUT, "the poll: %s", fumata_strerror(status));
}

int crowd_settle(struct crowd *crowd) {
  fumata_status status = fumata_crowd_settle(&crowd->records);
  return status == FUMATA_OK ? EXIT_OK : crowd_refuse(status);
}

/* ---- distances ---- */

/* What threads share: the next centres that no thread has taken. */
struct crowd_work {
  const struct crowd *crowd;
  const fumata_points *centres;
  pthread_mutex_t lock;
  uint32_t next;
  fumata_status status;
};

static void crowd_find_some(void *context, unsigned number) {
  struct crowd_work *work = context;
  const fumata_points *all = work->centres;
  const struct target *target = target_best();
  (void)number;
  for (;;) {
    fumata_points some = *all;
    fumata_status status;
    uint32_t first;
    pthread_mutex_lock(&work->lock);
    first = work->next;
    some.size = all->size - first < CROWD_PORTIONS ? all->size - first : CROWD_PORTIONS;
    work->next += some.size;
    pthread_mutex_unlock(&work->lock);
    if (some.size == 0) return;
    some.places += (size_t)first * all->dimensions;
    some.norms += first;
    status = target->crowd_find(&work->crowd->records, &some,
                                work->crowd->distances + (size_t)first * work->crowd->records.size);
    if (status != FUMATA_OK) work->status = status; /* of sizes, so the same for all threads */
  }
}

/* How many threads help this one. Depends on sizes, never on what is found. */
static unsigned crowd_helpers(const struct crowd *crowd, size_t count) {
  uint64_t products = (uint64_t)crowd->records.size * crowd->records.dimensions * count;
  unsigned cores = crowd->cores ? crowd->cores : products < CROWD_ALONE ? 1 : threads_cores();
  return cores - 1;
}

int crowd_find(struct crowd *crowd, const struct crowd_question *questions, size_t count) {
  const size_t width = crowd->records.dimensions;
  fumata_points centres = {.size = (uint32_t)count, .dimensions = crowd->records.dimensions};
  struct crowd_work work = {.crowd = crowd, .centres = &centres, .lock = PTHREAD_MUTEX_INITIALIZER};
  struct threads threads;
  int code = memory_take(&centres.places, count * width, sizeof *centres.places);
  if (!code) code = memory_take(&centres.norms, count, sizeof *centres.norms);
  for (size_t i = 0; !code && i < count; i++)
    memcpy(centres.places + i * width, questions[i].centre, width * sizeof *centres.places);
  if (!code) {
    work.status = fumata_crowd_settle(&centres);
    if (work.status == FUMATA_OK) {
      threads_start(&threads, crowd_helpers(crowd, count), crowd_find_some, &work);
      crowd_find_some(&work, 0);
      threads_join(&threads);
    }
    if (work.status != FUMATA_OK) code = crowd_refuse(work.status);
  }
  free(centres.places);
  free(centres.norms);
  return code;
}

int crowd_voices(struct crowd *crowd, size_t i, fumata_voices *voices) {
  const uint32_t *distances = crowd->distances + i * crowd->records.size;
  fumata_status status = FUMATA_OK;
  *voices = (fumata_voices){distances, crowd->labels};
  if (!crowd->first) return EXIT_OK;
  *voices = (fumata_voices){crowd->nearest, crowd->spoken};
  status = fumata_crowd_speak(crowd->first, crowd->units, distances, crowd->labels, crowd->nearest, crowd->spoken);
  return status == FUMATA_OK ? EXIT_OK : crowd_refuse(status);
}

/* ---- lists, for another process that answers ---- */

int crowd_lists_reserve(struct crowd_lists *lists, size_t questions, size_t units) {
  int code = memory_grow(&lists->start, &lists->start_room, questions + 1, sizeof *lists->start);
  if (!code) code = memory_grow(&lists->units, &lists->units_room, units, sizeof *lists->units);
  return code ? code : memory_grow(&lists->labels, &lists->labels_room, units, sizeof *lists->labels);
}

void crowd_lists_free(struct crowd_lists *lists) {
  crowd_wipe(lists->start, lists->start_room * sizeof *lists->start);
  crowd_wipe(lists->units, lists->units_room * sizeof *lists->units);
  crowd_wipe(lists->labels, lists->labels_room * sizeof *lists->labels);
  memset(lists, 0, sizeof *lists);
}

static uint32_t crowd_within(const uint32_t *distances, uint32_t count, uint32_t radius) {
  uint32_t within = 0;
  for (uint32_t u = 0; u < count; u++)
    within += distances[u] <= radius;
  return within;
}

/* Appends the units that question i asks to the `at` units that are already listed. */
static int crowd_list_one(const struct crowd *crowd, uint32_t first, const fumata_voices *voices, uint32_t radius,
                          size_t i, struct crowd_lists *lists) {
  size_t at = lists->start[i];
  for (uint32_t u = 0; u < crowd->units; u += CROWD_LOOK) {
    uint32_t some = crowd->units - u < CROWD_LOOK ? crowd->units - u : CROWD_LOOK, last = u + some;
    uint32_t within = crowd_within(voices->distances + u, some, radius);
    int code = within ? crowd_lists_reserve(lists, i + 1, at + within) : EXIT_OK;
    if (code) return code;
    for (uint32_t v = u; within && v < last; v++) {
      if (voices->distances[v] > radius) continue;
      lists->units[at] = first + v;
      lists->labels[at++] = voices->labels[v];
    }
  }
  lists->start[i + 1] = at;
  return EXIT_OK;
}

int crowd_list(struct crowd *crowd, uint32_t first, const struct crowd_question *questions, size_t count,
               struct crowd_lists *lists) {
  int code = crowd_lists_reserve(lists, count, 0);
  if (code) return code;
  memset(lists->start, 0, (count + 1) * sizeof *lists->start);
  for (size_t from = 0; !code && crowd->units && from < count; from += crowd->at_once) {
    size_t some = count - from < crowd->at_once ? count - from : crowd->at_once;
    code = crowd_find(crowd, questions + from, some);
    for (size_t i = 0; !code && i < some; i++) {
      fumata_voices voices;
      code = crowd_voices(crowd, i, &voices);
      if (!code) code = crowd_list_one(crowd, first, &voices, questions[from + i].radius, from + i, lists);
    }
  }
  return code;
}
