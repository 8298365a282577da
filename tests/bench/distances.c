/* Squared distances of records from questions as the core finds them, and the most 16-bit multiply-adds that one core does:
 * bench_distances RECORDS DIMENSIONS QUESTIONS. Seconds of CPU time a question and multiply-adds a second of the peak, the best
 * of some tries each; and last the most multiply-adds of floats. */
#include <stdio.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "gate/target.h"
#include "machine.h"

enum { TRIES = 9, ROUNDS = 2000000, SUMS = 8 };

static fumata_points points_of(uint32_t size, uint32_t dimensions) {
  fumata_points points = {calloc((size_t)size * dimensions, sizeof(int16_t)), calloc(size, sizeof(uint32_t)), size,
                          dimensions};
  uint64_t state = size;
  if (!points.places || !points.norms) exit(1);
  for (size_t i = 0; i < (size_t)size * dimensions; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    points.places[i] = (int16_t)((int)(state >> 40) % (FUMATA_PLACE_MAX + 1));
  }
  if (fumata_crowd_settle(&points) != FUMATA_OK) exit(1);
  return points;
}

#ifdef __x86_64__
/* Eight sums that wait for each other only, in registers: nothing is loaded. */
#define PEAK(name, vectors, type, lanes, set, add, madd)                                                               \
  __attribute__((target(vectors))) static double name(void) {                                                          \
    type sums[SUMS], factor = set(3);                                                                                  \
    double started;                                                                                                    \
    for (int s = 0; s < SUMS; s++)                                                                                     \
      sums[s] = set((short)s);                                                                                         \
    started = machine_clock(CLOCK_THREAD_CPUTIME_ID);                                                                  \
    for (int i = 0; i < ROUNDS; i++) {                                                                                 \
      _Pragma("GCC unroll 8") for (int s = 0; s < SUMS; s++) {                                                         \
        type product = madd(sums[s], factor);                                                                          \
        __asm__ volatile("" : "+x"(product));                                                                          \
        sums[s] = add(sums[s], product);                                                                               \
      }                                                                                                                \
    }                                                                                                                  \
    for (int s = 0; s < SUMS; s++)                                                                                     \
      __asm__ volatile("" : : "x"(sums[s]));                                                                           \
    return (double)ROUNDS * SUMS * (lanes) / (machine_clock(CLOCK_THREAD_CPUTIME_ID) - started);                       \
  }
PEAK(peak_plain, "sse2", __m128i, 8, _mm_set1_epi16, _mm_add_epi32, _mm_madd_epi16)
PEAK(peak_avx2, "avx2", __m256i, 16, _mm256_set1_epi16, _mm256_add_epi32, _mm256_madd_epi16)
PEAK(peak_avx512, "avx512bw,avx512vl", __m512i, 32, _mm512_set1_epi16, _mm512_add_epi32, _mm512_madd_epi16)

/* The same of floats, as a matrix product does them. */
#define FLOATS(name, vectors, type, lanes, set, madd)                                                                  \
  __attribute__((target(vectors))) static double name(void) {                                                          \
    type sums[SUMS], factor = set(0.5F);                                                                               \
    double started;                                                                                                    \
    for (int s = 0; s < SUMS; s++)                                                                                     \
      sums[s] = set((float)s);                                                                                         \
    started = machine_clock(CLOCK_THREAD_CPUTIME_ID);                                                                  \
    for (int i = 0; i < ROUNDS; i++) {                                                                                 \
      _Pragma("GCC unroll 8") for (int s = 0; s < SUMS; s++) {                                                         \
        sums[s] = madd(sums[s], factor, factor);                                                                       \
        __asm__ volatile("" : "+x"(sums[s]));                                                                          \
      }                                                                                                                \
    }                                                                                                                  \
    return (double)ROUNDS * SUMS * (lanes) / (machine_clock(CLOCK_THREAD_CPUTIME_ID) - started);                       \
  }
FLOATS(floats_avx2, "avx2,fma", __m256, 8, _mm256_set1_ps, _mm256_fmadd_ps)
FLOATS(floats_avx512, "avx512f", __m512, 16, _mm512_set1_ps, _mm512_fmadd_ps)

static double floats(void) {
  double best = 0;
  for (int t = 0; t < TRIES; t++) {
    double found = __builtin_cpu_supports("avx512f")                                 ? floats_avx512()
                   : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? floats_avx2()
                                                                                     : 0;
    if (found > best) best = found;
  }
  return best;
}

static double peak(const char *target) {
  double best = 0;
  for (int t = 0; t < TRIES; t++) {
    double found = target[0] == 'p' ? peak_plain() : strcmp(target, "avx2") ? peak_avx512() : peak_avx2();
    if (found > best) best = found;
  }
  return best;
}
#else
static double floats(void) {
  return 0;
}

static double peak(const char *target) {
  return target ? 0 : 0;
}
#endif

int main(int argc, char **argv) {
  uint32_t size = argc > 1 ? (uint32_t)atoi(argv[1]) : 50000, dimensions = argc > 2 ? (uint32_t)atoi(argv[2]) : 112;
  uint32_t count = argc > 3 ? (uint32_t)atoi(argv[3]) : 64;
  fumata_points records = points_of(size, dimensions), questions = points_of(count, dimensions);
  uint32_t *distances = calloc((size_t)size * count, sizeof *distances);
  size_t targets;
  const struct target *target = target_list(&targets);
  if (!distances) return 1;
  for (size_t which = 0; which < targets; which++) {
    double best = 1e9;
    for (int t = 0; t < TRIES; t++) {
      double started = machine_clock(CLOCK_THREAD_CPUTIME_ID), took;
      if (target[which].crowd_find(&records, &questions, distances) != FUMATA_OK) return 1;
      took = machine_clock(CLOCK_THREAD_CPUTIME_ID) - started;
      if (took < best) best = took;
    }
    printf("%s %g %g\n", target[which].name, best / count, peak(target[which].name));
  }
  printf("floats 0 %g\n", floats());
  return 0;
}
