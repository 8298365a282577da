/* Crowds of the core against sums by hand, in every build that this processor runs: places are clipped, norms and distances are
 * exact, and the nearest record of a unit speaks for it, the first of equally near ones. */
#include "core/crowd.h"
#include "fuzz/harness.h"
#include "gate/target.h"

#define POINTS  9 /* more than the centres that are found at a time */
#define UNITS   8
#define RECORDS 24

/* Points of any bytes: one or two a coordinate. Behind the end of the bytes the last number goes on, so that few make many. */
static void draw(struct fuzz *fuzz, fumata_points *points, uint32_t size, uint32_t dimensions, int is_wide) {
  size_t count = (size_t)size * dimensions;
  int16_t last = 0;
  *points = (fumata_points){malloc(count * sizeof(int16_t) + 1), malloc(size * sizeof(uint32_t) + 1), size, dimensions};
  FUZZ_MUST(points->places && points->norms);
  for (size_t i = 0; i < count; i++) {
    if (fuzz->left)
      last = (int16_t)(is_wide ? fuzz_number(fuzz, 2) : (uint64_t)(int64_t)((int8_t)fuzz_byte(fuzz) * 10));
    points->places[i] = last;
  }
}

static void drop(fumata_points *points) {
  free(points->places);
  free(points->norms);
}

static int64_t clipped(int64_t value) {
  return value > FUMATA_PLACE_MAX ? FUMATA_PLACE_MAX : value < -FUMATA_PLACE_MAX ? -FUMATA_PLACE_MAX : value;
}

static int64_t squared_distance(const int16_t *a, const int16_t *b, uint32_t dimensions) {
  int64_t sum = 0;
  for (uint32_t j = 0; j < dimensions; j++)
    sum += ((int64_t)a[j] - b[j]) * ((int64_t)a[j] - b[j]);
  return sum;
}

/* 1: they were settled; or refused, and then nothing has changed. */
static int settle(fumata_points *points) {
  size_t count = (size_t)points->size * points->dimensions;
  int16_t *before = malloc(count * sizeof *before + 1);
  static const int16_t zeros[FUMATA_DIMENSIONS_MAX];
  int is_right = points->dimensions >= 1 && points->dimensions <= FUMATA_DIMENSIONS_MAX && points->dimensions % 16 == 0;
  FUZZ_MUST(before != NULL);
  memcpy(before, points->places, count * sizeof *before);
  FUZZ_MUST(fumata_crowd_settle(points) == (is_right ? FUMATA_OK : FUMATA_ERR_DIMENSIONS));
  for (size_t i = 0; i < count; i++)
    FUZZ_MUST(points->places[i] == (is_right ? clipped(before[i]) : before[i]));
  for (uint32_t r = 0; is_right && r < points->size; r++)
    FUZZ_MUST(points->norms[r] ==
              squared_distance(points->places + (size_t)r * points->dimensions, zeros, points->dimensions));
  free(before);
  return is_right;
}

static void check_found(const fumata_points *records, const fumata_points *centres, const uint32_t *distances) {
  const uint32_t width = records->dimensions;
  for (uint32_t q = 0; q < centres->size; q++)
    for (uint32_t r = 0; r < records->size; r++)
      FUZZ_MUST(distances[(size_t)q * records->size + r] ==
                squared_distance(records->places + (size_t)r * width, centres->places + (size_t)q * width, width));
}

static void find(const fumata_points *records, const fumata_points *centres) {
  size_t count, room = (size_t)records->size * centres->size;
  const struct target *targets = target_list(&count);
  uint32_t *distances = malloc(room * sizeof *distances + 1);
  FUZZ_MUST(distances != NULL);
  for (size_t t = 0; t < count; t++) {
    fumata_status status;
    memset(distances, 0xaa, room * sizeof *distances);
    status = targets[t].crowd_find(records, centres, distances);
    if (records->dimensions == centres->dimensions) {
      FUZZ_MUST(status == FUMATA_OK);
      check_found(records, centres, distances);
    } else {
      FUZZ_MUST(status == FUMATA_ERR_DIMENSIONS);
      for (size_t i = 0; i < room; i++)
        FUZZ_MUST(distances[i] == 0xaaaaaaaa);
    }
  }
  free(distances);
}

static void speak(struct fuzz *fuzz) {
  uint32_t units = fuzz_byte(fuzz) % (UNITS + 1), first[UNITS + 1] = {0}, nearest[UNITS], distances[RECORDS];
  uint16_t labels[RECORDS], spoken[UNITS];
  int is_right = 1;
  fumata_status status;
  for (uint32_t u = 0; u <= units; u++)
    first[u] = fuzz_byte(fuzz) % (RECORDS + 1);
  for (uint32_t u = 0; u < units; u++)
    is_right = is_right && first[u] <= first[u + 1];
  for (uint32_t i = 0; i < RECORDS; i++) {
    uint8_t near = fuzz_byte(fuzz); /* often equal, and now and then the largest there is */
    distances[i] = near == 255 ? UINT32_MAX : near % 4;
    labels[i] = (uint16_t)(i + 1);
  }
  memset(nearest, 0xaa, sizeof nearest);
  memset(spoken, 0xaa, sizeof spoken);
  status = fumata_crowd_speak(first, units, distances, labels, nearest, spoken);
  FUZZ_MUST(status == (is_right ? FUMATA_OK : FUMATA_ERR_LIST));
  for (uint32_t u = 0; u < units; u++) {
    uint32_t best = is_right ? UINT32_MAX : 0xaaaaaaaa, label = is_right ? UINT16_MAX : 0xaaaa;
    for (uint32_t i = first[u]; is_right && i < first[u + 1]; i++)
      if (i == first[u] || distances[i] < best) best = distances[i], label = labels[i];
    FUZZ_MUST(nearest[u] == best && spoken[u] == label);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static const uint32_t widths[] = {16, 32, 48, 112, 0, 8, 17, FUMATA_DIMENSIONS_MAX, FUMATA_DIMENSIONS_MAX + 16};
  struct fuzz fuzz = {bytes, size};
  uint8_t how = fuzz_byte(&fuzz);
  uint32_t width = widths[fuzz_byte(&fuzz) % 9], other = how & 4 ? widths[fuzz_byte(&fuzz) % 9] : width;
  fumata_points records, centres;
  if (how & 1) {
    speak(&fuzz);
    return 0;
  }
  draw(&fuzz, &centres, fuzz_byte(&fuzz) % (POINTS + 1), other, how & 2);
  draw(&fuzz, &records, fuzz_byte(&fuzz) % (POINTS + 1), width, how & 2);
  if (settle(&centres) & settle(&records)) find(&records, &centres);
  drop(&records);
  drop(&centres);
  return 0;
}
