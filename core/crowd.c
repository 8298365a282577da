#include "crowd.h"

/* Records whose distances from a few centres are held at a time: they stay in the cache for all centres. */
#define FUMATA_CROWD_TILE 256u

/* Centres at a time. */
#define FUMATA_CROWD_FEW 4u

/* The largest product of two coordinates: FUMATA_PLACE_MAX squared. */
#define FUMATA_CROWD_PRODUCT 1046529

/* The largest norm, and the largest sum of products: FUMATA_DIMENSIONS_MAX of them. */
#define FUMATA_CROWD_NORM 1071645696

/* Row q of a table of m rows, n entries each, begins where those before it have ended and ends before those after it begin: by
 * induction over the rows. */
/*@ ghost
  /@ requires row:        0 <= q < m;
     terminates \true; exits \false;
     assigns              \nothing;
     ensures before:      \forall integer p; 0 <= p < q ==> FumataRow(p, n) + n <= FumataRow(q, n);
     ensures after:       \forall integer p; q < p <= m ==> FumataRow(q, n) + n <= FumataRow(p, n);
     ensures start:       0 <= FumataRow(q, n); @/
  void fumata_crowd_lemma_rows(uint32_t q, uint32_t m, uint32_t n) {
    /@ loop invariant range:  0 <= t <= q;
       loop invariant before: \forall integer p; 0 <= p < t ==> FumataRow(p, n) + n <= FumataRow(t, n);
       loop invariant start:  0 <= FumataRow(t, n);
       loop assigns           t;
       loop variant           q - t; @/
    for (uint32_t t = 0; t < q; t++) {
      /@ assert next: FumataRow(t + 1, n) == FumataRow(t, n) + n; @/
    }
    /@ loop invariant range:  q < t <= m;
       loop invariant after:  \forall integer p; q < p <= t ==> FumataRow(q, n) + n <= FumataRow(p, n);
       loop assigns           t;
       loop variant           m - t; @/
    for (uint32_t t = q + 1; t < m; t++) {
      /@ assert next: FumataRow(t + 1, n) == FumataRow(t, n) + n; @/
    }
  } */

/* Row q begins at q * n. */
/*@ ghost
  /@ terminates \true; exits \false;
     assigns              \nothing;
     ensures start:       FumataRow(q, n) == q * n; @/
  void fumata_crowd_lemma_start(uint32_t q, uint32_t n) {
    /@ loop invariant range:  0 <= t <= q;
       loop invariant start:  FumataRow(t, n) == t * n;
       loop assigns           t;
       loop variant           q - t; @/
    for (uint32_t t = 0; t != q; t++) {
      /@ assert next: FumataRow(t + 1, n) == FumataRow(t, n) + n; @/
    }
  } */

/* How far rows go. */
/*@ ghost
  /@ requires size:       n <= FUMATA_UNITS_MAX;
     terminates \true; exits \false;
     assigns              \nothing;
     ensures bound:       FumataRow(q, n) <= FUMATA_UNITS_MAX * q;
     ensures places:      n <= FUMATA_DIMENSIONS_MAX ==> FumataRow(q, n) <= FUMATA_DIMENSIONS_MAX * q; @/
  void fumata_crowd_lemma_far(uint32_t q, uint32_t n) {
    /@ loop invariant range:  0 <= t <= q;
       loop invariant bound:  FumataRow(t, n) <= FUMATA_UNITS_MAX * t;
       loop invariant places: n <= FUMATA_DIMENSIONS_MAX ==> FumataRow(t, n) <= FUMATA_DIMENSIONS_MAX * t;
       loop assigns           t;
       loop variant           q - t; @/
    for (uint32_t t = 0; t < q; t++) {
      /@ assert next: FumataRow(t + 1, n) == FumataRow(t, n) + n; @/
    }
  } */

/* Where point q of `size` begins, n coordinates each. */
/*@ requires size:       q < size <= FUMATA_UNITS_MAX && n <= FUMATA_UNITS_MAX;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures row:         \result == FumataRow(q, n);
    ensures bound:       \result <= 4503599627370496 && (n <= FUMATA_DIMENSIONS_MAX ==> \result <= 68719476736);
    ensures range:       \result + n <= FumataRow(size, n); */
static uint64_t fumata_crowd_start(uint32_t size, uint32_t n, uint32_t q) {
  (void)size; /* for the proof only */
  /*@ ghost fumata_crowd_lemma_rows(q, size, n); */
  /*@ ghost fumata_crowd_lemma_far(q, n); */
  /*@ ghost fumata_crowd_lemma_start(q, n); */
  return (uint64_t)q * n;
}

/* The same for proofs. */
/*@ ghost
  /@ requires size:       q < size <= FUMATA_UNITS_MAX && n <= FUMATA_DIMENSIONS_MAX;
     terminates \true; exits \false;
     assigns              \nothing;
     ensures row:         \result == FumataRow(q, n) <= 68719476736;
     ensures range:       0 <= FumataRow(q, n) && FumataRow(q, n) + n <= FumataRow(size, n); @/
  uint64_t fumata_crowd_lemma_at(uint32_t size, uint32_t n, uint32_t q) {
    uint64_t row = (uint64_t)q * n;
    fumata_crowd_lemma_rows(q, size, n);
    fumata_crowd_lemma_far(q, n);
    fumata_crowd_lemma_start(q, n);
    return row;
  } */

/*@ terminates \true; exits \false;
    assigns              \nothing;
    ensures clipped:     \result == FumataClip(place); */
static int16_t fumata_crowd_clip(int16_t place) {
  int16_t low = place < -FUMATA_PLACE_MAX ? -FUMATA_PLACE_MAX : place;
  return low > FUMATA_PLACE_MAX ? FUMATA_PLACE_MAX : low;
}

/*@ requires places:     FumataPlaceOk(a) && FumataPlaceOk(b);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures product:     \result == a * b;
    ensures bound:       -FUMATA_CROWD_PRODUCT <= \result <= FUMATA_CROWD_PRODUCT; */
static int32_t fumata_crowd_product(int16_t a, int16_t b) {
  return (int32_t)a * b;
}

/*@ ghost
  /@ requires places:     FumataPlaceOk(a) && FumataPlaceOk(b);
     terminates \true; exits \false;
     assigns              \nothing;
     ensures product:     -FUMATA_CROWD_PRODUCT <= a * b <= FUMATA_CROWD_PRODUCT; @/
  void fumata_crowd_lemma_product(int16_t a, int16_t b) {} */

/*@ ghost
  /@ requires range:      -2 * FUMATA_PLACE_MAX <= d <= 2 * FUMATA_PLACE_MAX;
     terminates \true; exits \false;
     assigns              \nothing;
     ensures square:      0 <= FumataSquare(d) <= 4 * FUMATA_CROWD_PRODUCT; @/
  void fumata_crowd_lemma_square(int32_t d) {} */

/* Sums of products are bounded: by induction over the coordinates. */
/*@ ghost
  /@ requires size:       n <= FUMATA_DIMENSIONS_MAX && i <= 68719476736 && j <= 68719476736;
     requires readable:   \valid_read(x + (i .. i + n - 1)) && \valid_read(y + (j .. j + n - 1));
     requires places:     FumataPlacesOk(x, i, n) && FumataPlacesOk(y, j, n);
     terminates \true; exits \false;
     assigns              \nothing;
     ensures bound:       \forall integer k; 0 <= k <= n ==>
                          -FUMATA_CROWD_PRODUCT * k <= FumataDot(x, i, y, j, k) <= FUMATA_CROWD_PRODUCT * k; @/
  void fumata_crowd_lemma_dot(const int16_t *x, uint64_t i, const int16_t *y, uint64_t j, uint32_t n) {
    /@ loop invariant range: 0 <= t <= n;
       loop invariant bound: \forall integer k; 0 <= k <= t ==>
                             -FUMATA_CROWD_PRODUCT * k <= FumataDot(x, i, y, j, k) <= FUMATA_CROWD_PRODUCT * k;
       loop assigns          t;
       loop variant          n - t; @/
    for (uint32_t t = 0; t < n; t++) {
      /@ assert places: FumataPlaceOk(x[i + t]) && FumataPlaceOk(y[j + t]); @/
      fumata_crowd_lemma_product(x[i + t], y[j + t]);
      /@ assert next: FumataDot(x, i, y, j, t + 1) == FumataDot(x, i, y, j, t) + x[i + t] * y[j + t]; @/
    }
  } */

/* Distances out of norms and a sum of products: by induction over the coordinates. */
/*@ ghost
  /@ requires size:       n <= FUMATA_DIMENSIONS_MAX && i <= 68719476736 && j <= 68719476736;
     requires readable:   \valid_read(x + (i .. i + n - 1)) && \valid_read(y + (j .. j + n - 1));
     requires places:     FumataPlacesOk(x, i, n) && FumataPlacesOk(y, j, n);
     terminates \true; exits \false;
     assigns              \nothing;
     ensures distance:    FumataDistance(x, i, y, j, n) ==
                          FumataDot(x, i, x, i, n) + FumataDot(y, j, y, j, n) - 2 * FumataDot(x, i, y, j, n);
     ensures bound:       0 <= FumataDistance(x, i, y, j, n) <= 4 * n * FUMATA_CROWD_PRODUCT;
     ensures norms:       FumataDot(x, i, x, i, n) <= n * FUMATA_CROWD_PRODUCT &&
                          FumataDot(y, j, y, j, n) <= n * FUMATA_CROWD_PRODUCT;
     ensures dot:         -n * FUMATA_CROWD_PRODUCT <= FumataDot(x, i, y, j, n); @/
  void fumata_crowd_lemma_distance(const int16_t *x, uint64_t i, const int16_t *y, uint64_t j, uint32_t n) {
    fumata_crowd_lemma_dot(x, i, x, i, n);
    fumata_crowd_lemma_dot(y, j, y, j, n);
    fumata_crowd_lemma_dot(x, i, y, j, n);
    /@ loop invariant range:    0 <= k <= n;
       loop invariant distance: FumataDistance(x, i, y, j, k) ==
                                FumataDot(x, i, x, i, k) + FumataDot(y, j, y, j, k) - 2 * FumataDot(x, i, y, j, k);
       loop invariant bound:    0 <= FumataDistance(x, i, y, j, k) <= 4 * k * FUMATA_CROWD_PRODUCT;
       loop assigns             k;
       loop variant             n - k; @/
    for (uint32_t k = 0; k < n; k++) {
      /@ assert places: FumataPlaceOk(x[i + k]) && FumataPlaceOk(y[j + k]); @/
      fumata_crowd_lemma_square((int32_t)(x[i + k] - y[j + k]));
      /@ assert square: 0 <= FumataSquare(x[i + k] - y[j + k]) <= 4 * FUMATA_CROWD_PRODUCT; @/
      /@ assert next: FumataDistance(x, i, y, j, k + 1) == FumataDistance(x, i, y, j, k) + FumataSquare(x[i + k] - y[j + k]); @/
      /@ assert next: FumataDot(x, i, x, i, k + 1) == FumataDot(x, i, x, i, k) + x[i + k] * x[i + k]; @/
      /@ assert next: FumataDot(y, j, y, j, k + 1) == FumataDot(y, j, y, j, k) + y[j + k] * y[j + k]; @/
      /@ assert next: FumataDot(x, i, y, j, k + 1) == FumataDot(x, i, y, j, k) + x[i + k] * y[j + k]; @/
    }
  } */

/*@ requires size:       dimensions <= FUMATA_DIMENSIONS_MAX && at <= FUMATA_UNITS_MAX * FUMATA_DIMENSIONS_MAX;
    requires readable:   \valid_read(places + (at .. at + dimensions - 1));
    requires places:     FumataPlacesOk(places, at, dimensions);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures norm:        \result == FumataDot(places, at, places, at, dimensions); */
static uint32_t fumata_crowd_norm(const int16_t *places, uint64_t at, uint32_t dimensions) {
  int32_t sum = 0;
  uint32_t i;

  /*@ loop invariant range: 0 <= i <= dimensions;
      loop invariant sum:   sum == FumataDot(places, at, places, at, i);
      loop invariant bound: 0 <= sum <= i * FUMATA_CROWD_PRODUCT;
      loop assigns          i, sum;
      loop variant          dimensions - i; */
  for (i = 0u; i < dimensions; i++) {
    sum += fumata_crowd_product(places[at + i], places[at + i]);
  }
  return (uint32_t)sum;
}

/*@ requires size:       size <= FUMATA_UNITS_MAX && n <= FUMATA_DIMENSIONS_MAX;
    requires places:     \valid(places + (0 .. FumataRow(size, n) - 1));
    terminates \true; exits \false;
    assigns              places[0 .. FumataRow(size, n) - 1];
    ensures clipped:     \forall integer i; 0 <= i < FumataRow(size, n) ==> places[i] == FumataClip(\old(places[i])); */
static void fumata_crowd_clip_all(int16_t *places, uint32_t size, uint32_t n) {
  uint64_t all = (uint64_t)size * n;
  uint64_t i;

  /*@ ghost fumata_crowd_lemma_start(size, n); */
  /*@ loop invariant range:   0 <= i <= all;
      loop invariant clipped: \forall integer j; 0 <= j < i ==> places[j] == FumataClip(\at(places[j], Pre));
      loop invariant rest:    \forall integer j; i <= j < all ==> places[j] == \at(places[j], Pre);
      loop assigns            i, places[0 .. all - 1];
      loop variant            all - i; */
  for (i = 0u; i < all; i++) {
    places[i] = fumata_crowd_clip(places[i]);
  }
}

/*@ requires size:       size <= FUMATA_UNITS_MAX && n <= FUMATA_DIMENSIONS_MAX;
    requires places:     \valid_read(places + (0 .. FumataRow(size, n) - 1)) && FumataPlacesOk(places, 0, FumataRow(size, n));
    requires writable:   \valid(norms + (0 .. size - 1));
    terminates \true; exits \false;
    assigns              norms[0 .. size - 1];
    ensures norms:       FumataNormsOk(places, n, norms, size); */
static void fumata_crowd_measure(const int16_t *places, uint32_t size, uint32_t n, uint32_t *norms) {
  uint32_t r;

  /*@ loop invariant range:   0 <= r <= size;
      loop invariant norms:   FumataNormsOk(places, n, norms, r);
      loop assigns            r, norms[0 .. size - 1];
      loop variant            size - r; */
  for (r = 0u; r < size; r++) {
    norms[r] = fumata_crowd_norm(places, fumata_crowd_start(size, n, r), n);
  }
}

fumata_status fumata_crowd_settle(fumata_points *points) {
  if (points->size > FUMATA_UNITS_MAX) {
    return FUMATA_ERR_UNITS;
  }
  if (points->dimensions < 1u || points->dimensions > FUMATA_DIMENSIONS_MAX ||
      points->dimensions % FUMATA_CROWD_LANES != 0u) {
    return FUMATA_ERR_DIMENSIONS;
  }
  fumata_crowd_clip_all(points->places, points->size, points->dimensions);
  fumata_crowd_measure(points->places, points->size, points->dimensions, points->norms);
  return FUMATA_OK;
}

/* Sums of products of a point with four others. */
typedef struct {
  int32_t a;
  int32_t b;
  int32_t c;
  int32_t d;
} fumata_four;

/* The sums of products of a point of x, from `r` on, with four of y, from a, b, c and d on: four at once, so that a coordinate
 * is loaded for several, in a loop that compilers turn into multiply-adds of 16-bit lanes. */
/*@ requires size:       n <= FUMATA_DIMENSIONS_MAX && n % FUMATA_CROWD_LANES == 0;
    requires range:      r <= 68719476736 && a <= 68719476736 && b <= 68719476736 && c <= 68719476736 && d <= 68719476736;
    requires point:      \valid_read(x + (r .. r + n - 1)) && FumataPlacesOk(x, r, n);
    requires centre_a:   \valid_read(y + (a .. a + n - 1)) && FumataPlacesOk(y, a, n);
    requires centre_b:   \valid_read(y + (b .. b + n - 1)) && FumataPlacesOk(y, b, n);
    requires centre_c:   \valid_read(y + (c .. c + n - 1)) && FumataPlacesOk(y, c, n);
    requires centre_d:   \valid_read(y + (d .. d + n - 1)) && FumataPlacesOk(y, d, n);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures a:           \result.a == FumataDot(x, r, y, a, n);
    ensures b:           \result.b == FumataDot(x, r, y, b, n);
    ensures c:           \result.c == FumataDot(x, r, y, c, n);
    ensures d:           \result.d == FumataDot(x, r, y, d, n); */
static fumata_four fumata_crowd_dots(const int16_t *x, uint64_t r, const int16_t *y, uint64_t a, uint64_t b, uint64_t c,
                                     uint64_t d, uint32_t n) {
  const int16_t *v = x + r;
  const int16_t *f = y + a;
  const int16_t *g = y + b;
  const int16_t *h = y + c;
  const int16_t *k = y + d;
  int32_t va = 0, vb = 0, vc = 0, vd = 0;
  uint32_t i;

  /*@ ghost fumata_crowd_lemma_dot(x, r, y, a, n); */
  /*@ ghost fumata_crowd_lemma_dot(x, r, y, b, n); */
  /*@ ghost fumata_crowd_lemma_dot(x, r, y, c, n); */
  /*@ ghost fumata_crowd_lemma_dot(x, r, y, d, n); */
  /*@ loop invariant range:  0 <= i <= n;
      loop invariant dots_a: va == FumataDot(x, r, y, a, i);
      loop invariant dots_b: vb == FumataDot(x, r, y, b, i);
      loop invariant dots_c: vc == FumataDot(x, r, y, c, i);
      loop invariant dots_d: vd == FumataDot(x, r, y, d, i);
      loop assigns           i, va, vb, vc, vd;
      loop variant           n - i; */
  for (i = 0u; i < n / FUMATA_CROWD_LANES * FUMATA_CROWD_LANES; i++) {
    va += fumata_crowd_product(v[i], f[i]);
    vb += fumata_crowd_product(v[i], g[i]);
    vc += fumata_crowd_product(v[i], h[i]);
    vd += fumata_crowd_product(v[i], k[i]);
  }
  /*@ assert all: i == n; */
  fumata_four dots = {va, vb, vc, vd};
  return dots;
}

/* Four sums are noted, each in its part of the tile. */
/*@ requires place:      j < FUMATA_CROWD_TILE;
    requires writable:   \valid(dots + (0 .. FUMATA_CROWD_FEW * FUMATA_CROWD_TILE - 1));
    terminates \true; exits \false;
    assigns              dots[0 .. FUMATA_CROWD_FEW * FUMATA_CROWD_TILE - 1];
    ensures noted:       dots[j] == four.a && dots[FUMATA_CROWD_TILE + j] == four.b &&
                         dots[2 * FUMATA_CROWD_TILE + j] == four.c && dots[3 * FUMATA_CROWD_TILE + j] == four.d;
    ensures kept:        \forall integer k; 0 <= k < FUMATA_CROWD_FEW * FUMATA_CROWD_TILE && k != j &&
                         k != FUMATA_CROWD_TILE + j && k != 2 * FUMATA_CROWD_TILE + j && k != 3 * FUMATA_CROWD_TILE + j ==>
                         dots[k] == \old(dots[k]); */
static void fumata_crowd_note(int32_t *dots, uint32_t j, fumata_four four) {
  dots[j] = four.a;
  dots[FUMATA_CROWD_TILE + j] = four.b;
  dots[2u * FUMATA_CROWD_TILE + j] = four.c;
  dots[3u * FUMATA_CROWD_TILE + j] = four.d;
}

/* One more sum stands in its place. */
/*@ ghost
  /@ requires past:       FumataDotsAre(x, n, from, j, y, a, dots, k);
     requires now:        dots[k + j] == FumataDot(x, FumataRow(from + j, n), y, a, n);
     terminates \true; exits \false;
     assigns              \nothing;
     ensures both:        FumataDotsAre(x, n, from, j + 1, y, a, dots, k); @/
  void fumata_crowd_lemma_more(const int16_t *x, uint32_t n, uint32_t from, uint32_t j, const int16_t *y, uint64_t a,
                               const int32_t *dots, uint32_t k) {} */

/* The sums of products of `count` points of x with four of y, which begin at a, b, c and d. */
/*@ requires size:       n <= FUMATA_DIMENSIONS_MAX && n % FUMATA_CROWD_LANES == 0;
    requires part:       count <= FUMATA_CROWD_TILE && from + count <= size <= FUMATA_UNITS_MAX;
    requires points:     \valid_read(x + (0 .. FumataRow(size, n) - 1)) && FumataPlacesOk(x, 0, FumataRow(size, n));
    requires range:      a <= 68719476736 && b <= 68719476736 && c <= 68719476736 && d <= 68719476736;
    requires centre_a:   \valid_read(y + (a .. a + n - 1)) && FumataPlacesOk(y, a, n);
    requires centre_b:   \valid_read(y + (b .. b + n - 1)) && FumataPlacesOk(y, b, n);
    requires centre_c:   \valid_read(y + (c .. c + n - 1)) && FumataPlacesOk(y, c, n);
    requires centre_d:   \valid_read(y + (d .. d + n - 1)) && FumataPlacesOk(y, d, n);
    requires writable:   \valid(dots + (0 .. FUMATA_CROWD_FEW * FUMATA_CROWD_TILE - 1));
    terminates \true; exits \false;
    assigns              dots[0 .. FUMATA_CROWD_FEW * FUMATA_CROWD_TILE - 1];
    ensures a:           FumataDotsAre(x, n, from, count, y, a, dots, 0);
    ensures b:           FumataDotsAre(x, n, from, count, y, b, dots, FUMATA_CROWD_TILE);
    ensures c:           FumataDotsAre(x, n, from, count, y, c, dots, 2 * FUMATA_CROWD_TILE);
    ensures d:           FumataDotsAre(x, n, from, count, y, d, dots, 3 * FUMATA_CROWD_TILE); */
static void fumata_crowd_tile(const int16_t *x, uint32_t size, uint32_t from, uint32_t count, const int16_t *y,
                              uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint32_t n, int32_t *dots) {
  uint32_t j;

  /*@ loop invariant range: 0 <= j <= count;
      loop invariant a:     FumataDotsAre(x, n, from, j, y, a, dots, 0);
      loop invariant b:     FumataDotsAre(x, n, from, j, y, b, dots, FUMATA_CROWD_TILE);
      loop invariant c:     FumataDotsAre(x, n, from, j, y, c, dots, 2 * FUMATA_CROWD_TILE);
      loop invariant d:     FumataDotsAre(x, n, from, j, y, d, dots, 3 * FUMATA_CROWD_TILE);
      loop assigns          j, dots[0 .. FUMATA_CROWD_FEW * FUMATA_CROWD_TILE - 1];
      loop variant          count - j; */
  for (j = 0u; j < count; j++) {
    fumata_four four = fumata_crowd_dots(x, fumata_crowd_start(size, n, from + j), y, a, b, c, d, n);
    fumata_crowd_note(dots, j, four);
    /*@ ghost fumata_crowd_lemma_more(x, n, from, j, y, a, dots, 0); */
    /*@ ghost fumata_crowd_lemma_more(x, n, from, j, y, b, dots, FUMATA_CROWD_TILE); */
    /*@ ghost fumata_crowd_lemma_more(x, n, from, j, y, c, dots, 512); */
    /*@ ghost fumata_crowd_lemma_more(x, n, from, j, y, d, dots, 768); */
  }
}

/* One more is bounded. */
/*@ ghost
  /@ requires past:       from <= t && FumataPartOk(norms, norm, from, t - from, dots, k);
     requires now:        norms[t] <= FUMATA_CROWD_NORM && -FUMATA_CROWD_NORM <= dots[k + t - from];
     requires sign:       0 <= norms[t] + norm - 2 * dots[k + t - from];
     terminates \true; exits \false;
     assigns              \nothing;
     ensures both:        FumataPartOk(norms, norm, from, t + 1 - from, dots, k); @/
  void fumata_crowd_lemma_bounded(const uint32_t *norms, uint32_t norm, uint32_t from, uint32_t t, const int32_t *dots,
                                  uint32_t k) {} */

/* What a row of distances is made of, for every point of a part. */
/*@ ghost
  /@ requires size:       n <= FUMATA_DIMENSIONS_MAX && count <= FUMATA_CROWD_TILE && k <= 3 * FUMATA_CROWD_TILE;
     requires part:       from + count <= size <= FUMATA_UNITS_MAX && q < centres <= FUMATA_UNITS_MAX;
     requires points:     \valid_read(x + (0 .. FumataRow(size, n) - 1)) && FumataPlacesOk(x, 0, FumataRow(size, n));
     requires centres:    \valid_read(y + (0 .. FumataRow(centres, n) - 1)) && FumataPlacesOk(y, 0, FumataRow(centres, n));
     requires norms:      \valid_read(norms + (0 .. size - 1)) && FumataNormsOk(x, n, norms, size);
     requires norm:       norm == FumataDot(y, FumataRow(q, n), y, FumataRow(q, n), n);
     requires dots:       \valid_read(dots + (0 .. FUMATA_CROWD_FEW * FUMATA_CROWD_TILE - 1)) && FumataDotsAre(x, n, from, count, y, FumataRow(q, n), dots, k);
     terminates \true; exits \false;
     assigns              \nothing;
     ensures sums:        \forall integer r; from <= r < from + count ==>
                          norms[r] + norm - 2 * dots[k + r - from] == FumataDistance(x, FumataRow(r, n), y, FumataRow(q, n), n);
     ensures bound:       FumataPartOk(norms, norm, from, count, dots, k);
     ensures norm:        count > 0 ==> norm <= FUMATA_CROWD_NORM; @/
  void fumata_crowd_lemma_part(const int16_t *x, const uint32_t *norms, uint32_t size, uint32_t from, uint32_t count,
                               const int16_t *y, uint32_t norm, uint32_t centres, uint32_t q, uint32_t n,
                               const int32_t *dots, uint32_t k) {
    uint64_t centre = fumata_crowd_lemma_at(centres, n, q);
    /@ loop invariant range: from <= t <= from + count;
       loop invariant sums:  \forall integer r; from <= r < t ==>
                             norms[r] + norm - 2 * dots[k + r - from] == FumataDistance(x, FumataRow(r, n), y, FumataRow(q, n), n);
       loop invariant bound: FumataPartOk(norms, norm, from, t - from, dots, k);
       loop invariant norm:  t > from ==> norm <= FUMATA_CROWD_NORM;
       loop assigns          t;
       loop variant          from + count - t; @/
    for (uint32_t t = from; t < from + count; t++) {
      uint64_t point = fumata_crowd_lemma_at(size, n, t);
      fumata_crowd_lemma_distance(x, point, y, centre, n);
      /@ assert norm: norms[t] == FumataDot(x, FumataRow(t, n), x, FumataRow(t, n), n); @/
      /@ assert dot:  dots[k + t - from] == FumataDot(x, FumataRow(t, n), y, FumataRow(q, n), n); @/
      /@ assert sum:  norms[t] + norm - 2 * dots[k + t - from] == FumataDistance(x, FumataRow(t, n), y, FumataRow(q, n), n); @/
      fumata_crowd_lemma_bounded(norms, norm, from, t, dots, k);
    }
  } */

/* Distances of `count` points from one on, out of norms and sums of products. Half of two norms, so that nothing exceeds 32
 * bits. */
/*@ requires size:       count <= FUMATA_CROWD_TILE && k <= 3 * FUMATA_CROWD_TILE && from <= FUMATA_UNITS_MAX;
    requires readable:   \valid_read(norms + (from .. from + count - 1));
    requires dots:       \valid_read(dots + (0 .. FUMATA_CROWD_FEW * FUMATA_CROWD_TILE - 1));
    requires norm:       norm <= FUMATA_CROWD_NORM;
    requires range:      FumataPartOk(norms, norm, from, count, dots, k);
    requires writable:   \valid(row + (from .. from + count - 1));
    requires apart:      \separated(row + (from .. from + count - 1), norms + (from .. from + count - 1));
    terminates \true; exits \false;
    assigns              row[from .. from + count - 1];
    ensures distances:   \forall integer r; from <= r < from + count ==>
                         row[r] == \old(norms[r] + norm - 2 * dots[k + r - from]); */
static void fumata_crowd_row(const uint32_t *norms, uint32_t from, uint32_t count, uint32_t norm, const int32_t *dots,
                             uint32_t k, uint32_t *row) {
  uint32_t r;

  /*@ loop invariant range:     from <= r <= from + count;
      loop invariant distances: \forall integer j; from <= j < r ==> row[j] == norms[j] + norm - 2 * dots[k + j - from];
      loop invariant norms:     \forall integer j; from <= j < from + count ==> norms[j] == \at(norms[j], Pre);
      loop assigns              r, row[from .. from + count - 1];
      loop variant              from + count - r; */
  for (r = from; r < from + count; r++) {
    uint32_t both = norms[r] + norm;
    row[r] = both % 2u + 2u * (uint32_t)((int32_t)(both / 2u) - dots[k + r - from]);
  }
}

/* The distances of `count` points of x from one of y are put in their places. What stands in other rows, or before them in this
 * one, is still found. */
/*@ requires size:       n <= FUMATA_DIMENSIONS_MAX && k <= 3 * FUMATA_CROWD_TILE;
    requires part:       0 < count <= FUMATA_CROWD_TILE && from + count <= size <= FUMATA_UNITS_MAX;
    requires centre:     q < centres <= FUMATA_UNITS_MAX;
    requires points:     \valid_read(x + (0 .. FumataRow(size, n) - 1)) && FumataPlacesOk(x, 0, FumataRow(size, n));
    requires centres:    \valid_read(y + (0 .. FumataRow(centres, n) - 1)) && FumataPlacesOk(y, 0, FumataRow(centres, n));
    requires norms:      \valid_read(norms + (0 .. size - 1)) && FumataNormsOk(x, n, norms, size);
    requires others:     \valid_read(others + (0 .. centres - 1)) && FumataNormsOk(y, n, others, centres);
    requires dots:       \valid_read(dots + (0 .. FUMATA_CROWD_FEW * FUMATA_CROWD_TILE - 1)) && FumataDotsAre(x, n, from, count, y, FumataRow(q, n), dots, k);
    requires writable:   \valid(distances + (0 .. FumataRow(centres, size) - 1));
    requires apart:      \separated(distances + (0 .. FumataRow(centres, size) - 1), norms + (0 .. size - 1)) &&
                         \separated(distances + (0 .. FumataRow(centres, size) - 1), others + (0 .. centres - 1));
    terminates \true; exits \false;
    assigns              distances[0 .. FumataRow(centres, size) - 1];
    ensures norms:       FumataNormsOk(x, n, norms, size) && FumataNormsOk(y, n, others, centres);
    ensures found:       FumataFound{Pre}(x, size, y, n, distances, q, 0, from) ==>
                         FumataFound(x, size, y, n, distances, q, 0, from + count);
    ensures kept:        \forall integer i, to; 0 <= i < centres && i != q && to <= size ==>
                         FumataFound{Pre}(x, size, y, n, distances, i, 0, to) ==>
                         FumataFound(x, size, y, n, distances, i, 0, to); */
static void fumata_crowd_put(const int16_t *x, const uint32_t *norms, uint32_t size, uint32_t from, uint32_t count,
                             const int16_t *y, const uint32_t *others, uint32_t centres, uint32_t q, uint32_t n,
                             const int32_t *dots, uint32_t k, uint32_t *distances) {
  uint64_t row = fumata_crowd_start(centres, size, q);

  (void)x, (void)y, (void)n; /* for the proof only */
  /*@ ghost fumata_crowd_lemma_rows(q, centres, size); */
  /*@ assert inside: 0 <= row && row + from + count <= FumataRow(centres, size); */
  /*@ ghost fumata_crowd_lemma_part(x, norms, size, from, count, y, others[q], centres, q, n, dots, k); */
  fumata_crowd_row(norms, from, count, others[q], dots, k, distances + row);
  /*@ assert norms:  \forall integer r; 0 <= r < size ==> norms[r] == \at(norms[r], Pre); */
  /*@ assert others: \forall integer r; 0 <= r < centres ==> others[r] == \at(others[r], Pre); */
  /*@ assert row:    FumataFound(x, size, y, n, distances, q, from, from + count); */
  /*@ assert before: \forall integer r; 0 <= r < from ==>
                       distances[FumataRow(q, size) + r] == \at(distances[FumataRow(q, size) + r], Pre); */
  /*@ assert rest:   \forall integer i, r; 0 <= i < centres && i != q && 0 <= r < size ==>
                       distances[FumataRow(i, size) + r] == \at(distances[FumataRow(i, size) + r], Pre); */
}

/* The distances of `count` points of x from a few of y, if there are so many. */
/*@ requires size:       1 <= n <= FUMATA_DIMENSIONS_MAX && n % FUMATA_CROWD_LANES == 0;
    requires part:       0 < count <= FUMATA_CROWD_TILE && from + count <= size <= FUMATA_UNITS_MAX;
    requires few:        q < centres <= FUMATA_UNITS_MAX;
    requires points:     \valid_read(x + (0 .. FumataRow(size, n) - 1)) && FumataPlacesOk(x, 0, FumataRow(size, n));
    requires centres:    \valid_read(y + (0 .. FumataRow(centres, n) - 1)) && FumataPlacesOk(y, 0, FumataRow(centres, n));
    requires norms:      \valid_read(norms + (0 .. size - 1)) && FumataNormsOk(x, n, norms, size);
    requires others:     \valid_read(others + (0 .. centres - 1)) && FumataNormsOk(y, n, others, centres);
    requires writable:   \valid(distances + (0 .. FumataRow(centres, size) - 1));
    requires apart:      \separated(distances + (0 .. FumataRow(centres, size) - 1), norms + (0 .. size - 1)) &&
                         \separated(distances + (0 .. FumataRow(centres, size) - 1), others + (0 .. centres - 1));
    requires done:       \forall integer i; 0 <= i < q ==> FumataFound(x, size, y, n, distances, i, 0, from + count);
    requires rest:       \forall integer i; q <= i < centres ==> FumataFound(x, size, y, n, distances, i, 0, from);
    terminates \true; exits \false;
    assigns              distances[0 .. FumataRow(centres, size) - 1];
    ensures norms:       FumataNormsOk(x, n, norms, size) && FumataNormsOk(y, n, others, centres);
    ensures done:        \forall integer i; 0 <= i < centres && i < q + FUMATA_CROWD_FEW ==>
                         FumataFound(x, size, y, n, distances, i, 0, from + count);
    ensures rest:        \forall integer i; q + FUMATA_CROWD_FEW <= i < centres ==>
                         FumataFound(x, size, y, n, distances, i, 0, from); */
static void fumata_crowd_group(const int16_t *x, const uint32_t *norms, uint32_t size, uint32_t from, uint32_t count,
                               const int16_t *y, const uint32_t *others, uint32_t centres, uint32_t q, uint32_t n,
                               uint32_t *distances) {
  int32_t dots[FUMATA_CROWD_FEW * FUMATA_CROWD_TILE];
  uint64_t a = fumata_crowd_start(centres, n, q);
  uint64_t b = fumata_crowd_start(centres, n, q + 1u < centres ? q + 1u : q);
  uint64_t c = fumata_crowd_start(centres, n, q + 2u < centres ? q + 2u : q);
  uint64_t d = fumata_crowd_start(centres, n, q + 3u < centres ? q + 3u : q);
  uint32_t p;

  fumata_crowd_tile(x, size, from, count, y, a, b, c, d, n, dots);
  /*@ assert b: q + 1 < centres ==> b == FumataRow(q + 1, n); */
  /*@ assert c: q + 2 < centres ==> c == FumataRow(q + 2, n); */
  /*@ assert d: q + 3 < centres ==> d == FumataRow(q + 3, n); */
  /*@ loop invariant range:  q <= p <= q + FUMATA_CROWD_FEW && p <= centres;
      loop invariant norms:  FumataNormsOk(x, n, norms, size) && FumataNormsOk(y, n, others, centres);
      loop invariant done:   \forall integer i; 0 <= i < p ==> FumataFound(x, size, y, n, distances, i, 0, from + count);
      loop invariant rest:   \forall integer i; p <= i < centres ==> FumataFound(x, size, y, n, distances, i, 0, from);
      loop assigns           p, distances[0 .. FumataRow(centres, size) - 1];
      loop variant           centres - p; */
  for (p = q; p - q < FUMATA_CROWD_FEW && p < centres; p++) {
    /*@ assert few:  p == q || p == q + 1 || p == q + 2 || p == q + 3; */
    /*@ assert a:    p == q     ==> FumataDotsAre(x, n, from, count, y, FumataRow(p, n), &dots[0], FUMATA_CROWD_TILE * (p - q)); */
    /*@ assert b:    p == q + 1 ==> FumataDotsAre(x, n, from, count, y, FumataRow(p, n), &dots[0], FUMATA_CROWD_TILE * (p - q)); */
    /*@ assert c:    p == q + 2 ==> FumataDotsAre(x, n, from, count, y, FumataRow(p, n), &dots[0], FUMATA_CROWD_TILE * (p - q)); */
    /*@ assert d:    p == q + 3 ==> FumataDotsAre(x, n, from, count, y, FumataRow(p, n), &dots[0], FUMATA_CROWD_TILE * (p - q)); */
    /*@ assert dots: FumataDotsAre(x, n, from, count, y, FumataRow(p, n), &dots[0], FUMATA_CROWD_TILE * (p - q)); */
    fumata_crowd_put(x, norms, size, from, count, y, others, centres, p, n, dots, FUMATA_CROWD_TILE * (p - q),
                     distances);
  }
}

/*@ requires size:       1 <= n <= FUMATA_DIMENSIONS_MAX && n % FUMATA_CROWD_LANES == 0;
    requires sizes:      size <= FUMATA_UNITS_MAX && centres <= FUMATA_UNITS_MAX;
    requires points:     \valid_read(x + (0 .. FumataRow(size, n) - 1)) && FumataPlacesOk(x, 0, FumataRow(size, n));
    requires centres:    \valid_read(y + (0 .. FumataRow(centres, n) - 1)) && FumataPlacesOk(y, 0, FumataRow(centres, n));
    requires norms:      \valid_read(norms + (0 .. size - 1)) && FumataNormsOk(x, n, norms, size);
    requires others:     \valid_read(others + (0 .. centres - 1)) && FumataNormsOk(y, n, others, centres);
    requires writable:   \valid(distances + (0 .. FumataRow(centres, size) - 1));
    requires apart:      \separated(distances + (0 .. FumataRow(centres, size) - 1), norms + (0 .. size - 1)) &&
                         \separated(distances + (0 .. FumataRow(centres, size) - 1), others + (0 .. centres - 1));
    terminates \true; exits \false;
    assigns              distances[0 .. FumataRow(centres, size) - 1];
    ensures found:       \forall integer i; 0 <= i < centres ==> FumataFound(x, size, y, n, distances, i, 0, size); */
static void fumata_crowd_all(const int16_t *x, const uint32_t *norms, uint32_t size, const int16_t *y,
                             const uint32_t *others, uint32_t centres, uint32_t n, uint32_t *distances) {
  uint32_t count;
  uint32_t from;
  uint32_t q;

  /*@ loop invariant range:  0 <= from <= size;
      loop invariant norms:  FumataNormsOk(x, n, norms, size) && FumataNormsOk(y, n, others, centres);
      loop invariant found:  \forall integer i; 0 <= i < centres ==> FumataFound(x, size, y, n, distances, i, 0, from);
      loop assigns           from, count, q, distances[0 .. FumataRow(centres, size) - 1];
      loop variant           size - from; */
  for (from = 0u; from < size; from += count) {
    count = size - from < FUMATA_CROWD_TILE ? size - from : FUMATA_CROWD_TILE;
    /*@ loop invariant range:  0 <= q;
        loop invariant norms:  FumataNormsOk(x, n, norms, size) && FumataNormsOk(y, n, others, centres);
        loop invariant done:   \forall integer i; 0 <= i < q && i < centres ==>
                               FumataFound(x, size, y, n, distances, i, 0, from + count);
        loop invariant rest:   \forall integer i; q <= i < centres ==> FumataFound(x, size, y, n, distances, i, 0, from);
        loop assigns           q, distances[0 .. FumataRow(centres, size) - 1];
        loop variant           centres - q; */
    for (q = 0u; q < centres; q += FUMATA_CROWD_FEW) {
      fumata_crowd_group(x, norms, size, from, count, y, others, centres, q, n, distances);
    }
  }
}

fumata_status fumata_crowd_find(const fumata_points *records, const fumata_points *centres, uint32_t *distances) {
  if (records->dimensions != centres->dimensions) {
    return FUMATA_ERR_DIMENSIONS;
  }
  fumata_crowd_all(records->places, records->norms, records->size, centres->places, centres->norms, centres->size,
                   records->dimensions, distances);
  /*@ assert kept: records->places == \at(records->places, Pre) && records->size == \at(records->size, Pre) &&
                   records->dimensions == \at(records->dimensions, Pre); */
  /*@ assert kept: centres->places == \at(centres->places, Pre) && centres->size == \at(centres->size, Pre); */
  return FUMATA_OK;
}
