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
    for (uint32_t t = 0; t < q; t++) {
      /@ assert next: FumataRow(t + 1, n) == FumataRow(t, n) + n; @/
    }
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
    /*@ ghost fumata_crowd_lemma_rows(r, size, n); */
    /*@ ghost fumata_crowd_lemma_start(r, n); */
    norms[r] = fumata_crowd_norm(places, (uint64_t)r * n, n);
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

/* The sums of products of two points of x, from `r` and from `s` on, with four of y, from a, b, c and d on: eight at once, so
 * that a coordinate is loaded for several, in a loop that compilers turn into multiply-adds of 16-bit lanes. */
/*@ requires size:       n <= FUMATA_DIMENSIONS_MAX && n % FUMATA_CROWD_LANES == 0;
    requires range:      r <= 68719476736 && s <= 68719476736 && a <= 68719476736 && b <= 68719476736 &&
                         c <= 68719476736 && d <= 68719476736;
    requires first:      \valid_read(x + (r .. r + n - 1)) && FumataPlacesOk(x, r, n);
    requires second:     \valid_read(x + (s .. s + n - 1)) && FumataPlacesOk(x, s, n);
    requires centre_a:   \valid_read(y + (a .. a + n - 1)) && FumataPlacesOk(y, a, n);
    requires centre_b:   \valid_read(y + (b .. b + n - 1)) && FumataPlacesOk(y, b, n);
    requires centre_c:   \valid_read(y + (c .. c + n - 1)) && FumataPlacesOk(y, c, n);
    requires centre_d:   \valid_read(y + (d .. d + n - 1)) && FumataPlacesOk(y, d, n);
    requires writable:   \valid(dots + (0 .. 7));
    terminates \true; exits \false;
    assigns              dots[0 .. 7];
    ensures first:       dots[0] == FumataDot(x, r, y, a, n) && dots[1] == FumataDot(x, r, y, b, n) &&
                         dots[2] == FumataDot(x, r, y, c, n) && dots[3] == FumataDot(x, r, y, d, n);
    ensures second:      dots[4] == FumataDot(x, s, y, a, n) && dots[5] == FumataDot(x, s, y, b, n) &&
                         dots[6] == FumataDot(x, s, y, c, n) && dots[7] == FumataDot(x, s, y, d, n); */
static void fumata_crowd_dots(const int16_t *x, uint64_t r, uint64_t s, const int16_t *y, uint64_t a, uint64_t b,
                              uint64_t c, uint64_t d, uint32_t n, int32_t *dots) {
  const int16_t *v = x + r;
  const int16_t *w = x + s;
  const int16_t *f = y + a;
  const int16_t *g = y + b;
  const int16_t *h = y + c;
  const int16_t *k = y + d;
  int32_t va = 0, vb = 0, vc = 0, vd = 0, wa = 0, wb = 0, wc = 0, wd = 0;
  uint32_t i;

  /*@ ghost fumata_crowd_lemma_dot(x, r, y, a, n); */
  /*@ ghost fumata_crowd_lemma_dot(x, r, y, b, n); */
  /*@ ghost fumata_crowd_lemma_dot(x, r, y, c, n); */
  /*@ ghost fumata_crowd_lemma_dot(x, r, y, d, n); */
  /*@ ghost fumata_crowd_lemma_dot(x, s, y, a, n); */
  /*@ ghost fumata_crowd_lemma_dot(x, s, y, b, n); */
  /*@ ghost fumata_crowd_lemma_dot(x, s, y, c, n); */
  /*@ ghost fumata_crowd_lemma_dot(x, s, y, d, n); */
  /*@ loop invariant range:  0 <= i <= n;
      loop invariant dots_a: va == FumataDot(x, r, y, a, i) && wa == FumataDot(x, s, y, a, i);
      loop invariant dots_b: vb == FumataDot(x, r, y, b, i) && wb == FumataDot(x, s, y, b, i);
      loop invariant dots_c: vc == FumataDot(x, r, y, c, i) && wc == FumataDot(x, s, y, c, i);
      loop invariant dots_d: vd == FumataDot(x, r, y, d, i) && wd == FumataDot(x, s, y, d, i);
      loop assigns           i, va, vb, vc, vd, wa, wb, wc, wd;
      loop variant           n - i; */
  for (i = 0u; i < n / FUMATA_CROWD_LANES * FUMATA_CROWD_LANES; i++) {
    va += fumata_crowd_product(v[i], f[i]);
    vb += fumata_crowd_product(v[i], g[i]);
    vc += fumata_crowd_product(v[i], h[i]);
    vd += fumata_crowd_product(v[i], k[i]);
    wa += fumata_crowd_product(w[i], f[i]);
    wb += fumata_crowd_product(w[i], g[i]);
    wc += fumata_crowd_product(w[i], h[i]);
    wd += fumata_crowd_product(w[i], k[i]);
  }
  /*@ assert all: i == n; */
  dots[0] = va;
  dots[1] = vb;
  dots[2] = vc;
  dots[3] = vd;
  dots[4] = wa;
  dots[5] = wb;
  dots[6] = wc;
  dots[7] = wd;
}

/* Where point q of `size` begins, n coordinates each; where point `other` does if there is no such point. */
/*@ requires size:       other < size <= FUMATA_UNITS_MAX && n <= FUMATA_UNITS_MAX;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures row:         \result == FumataRow(q < size ? q : other, n);
    ensures bound:       \result <= 4503599627370496 && (n <= FUMATA_DIMENSIONS_MAX ==> \result <= 68719476736);
    ensures range:       \result + n <= FumataRow(size, n); */
static uint64_t fumata_crowd_start(uint32_t size, uint32_t n, uint32_t q, uint32_t other) {
  uint32_t row = q < size ? q : other;

  /*@ ghost fumata_crowd_lemma_rows(row, size, n); */
  /*@ ghost fumata_crowd_lemma_start(row, n); */
  return (uint64_t)row * n;
}

/* The sums of products of `count` points of x with a few of y. */
/*@ requires size:       n <= FUMATA_DIMENSIONS_MAX && n % FUMATA_CROWD_LANES == 0;
    requires part:       0 < count <= FUMATA_CROWD_TILE && from + count <= size <= FUMATA_UNITS_MAX;
    requires few:        q < centres <= FUMATA_UNITS_MAX;
    requires points:     \valid_read(x + (0 .. FumataRow(size, n) - 1)) && FumataPlacesOk(x, 0, FumataRow(size, n));
    requires centres:    \valid_read(y + (0 .. FumataRow(centres, n) - 1)) && FumataPlacesOk(y, 0, FumataRow(centres, n));
    requires writable:   \valid(dots + (0 .. FUMATA_CROWD_FEW * FUMATA_CROWD_TILE - 1));
    terminates \true; exits \false;
    assigns              dots[0 .. FUMATA_CROWD_FEW * FUMATA_CROWD_TILE - 1];
    ensures dots_a:      \forall integer r; 0 <= r < count ==>
                         dots[4 * r] == FumataDot(x, FumataRow(from + r, n), y, FumataRow(q, n), n);
    ensures dots_b:      q + 1 < centres ==> \forall integer r; 0 <= r < count ==>
                         dots[4 * r + 1] == FumataDot(x, FumataRow(from + r, n), y, FumataRow(q + 1, n), n);
    ensures dots_c:      q + 2 < centres ==> \forall integer r; 0 <= r < count ==>
                         dots[4 * r + 2] == FumataDot(x, FumataRow(from + r, n), y, FumataRow(q + 2, n), n);
    ensures dots_d:      q + 3 < centres ==> \forall integer r; 0 <= r < count ==>
                         dots[4 * r + 3] == FumataDot(x, FumataRow(from + r, n), y, FumataRow(q + 3, n), n); */
static void fumata_crowd_tile(const int16_t *x, uint32_t size, uint32_t from, uint32_t count, const int16_t *y,
                              uint32_t centres, uint32_t q, uint32_t n, int32_t *dots) {
  uint64_t a = fumata_crowd_start(centres, n, q, q);
  uint64_t b = fumata_crowd_start(centres, n, q + 1u, q);
  uint64_t c = fumata_crowd_start(centres, n, q + 2u, q);
  uint64_t d = fumata_crowd_start(centres, n, q + 3u, q);
  uint32_t p;

  /*@ loop invariant range: 0 <= p && 2 * p <= count + 1;
      loop invariant a:     \forall integer j; 0 <= j < 2 * p && j < count ==>
                            dots[4 * j] == FumataDot(x, FumataRow(from + j, n), y, a, n);
      loop invariant b:     \forall integer j; 0 <= j < 2 * p && j < count ==>
                            dots[4 * j + 1] == FumataDot(x, FumataRow(from + j, n), y, b, n);
      loop invariant c:     \forall integer j; 0 <= j < 2 * p && j < count ==>
                            dots[4 * j + 2] == FumataDot(x, FumataRow(from + j, n), y, c, n);
      loop invariant d:     \forall integer j; 0 <= j < 2 * p && j < count ==>
                            dots[4 * j + 3] == FumataDot(x, FumataRow(from + j, n), y, d, n);
      loop assigns          p, dots[0 .. FUMATA_CROWD_FEW * FUMATA_CROWD_TILE - 1];
      loop variant          count - p; */
  for (p = 0u; 2u * p < count; p++) {
    uint64_t v = fumata_crowd_start(size, n, from + 2u * p, from);
    uint64_t w = fumata_crowd_start(size, n, from + 2u * p + 1u, from);
    fumata_crowd_dots(x, v, w, y, a, b, c, d, n, dots + 8u * p);
    /*@ assert first:  v == FumataRow(from + 2 * p, n); */
    /*@ assert second: 2 * p + 1 < count ==> w == FumataRow(from + (2 * p + 1), n); */
    /*@ assert pair:   \forall integer j; 2 * p <= j < 2 * p + 2 ==> j == 2 * p || j == 2 * p + 1; */
  }
  /*@ assert a: a == FumataRow(q, n); */
  /*@ assert b: q + 1 < centres ==> b == FumataRow(q + 1, n); */
  /*@ assert c: q + 2 < centres ==> c == FumataRow(q + 2, n); */
  /*@ assert d: q + 3 < centres ==> d == FumataRow(q + 3, n); */
}

/* What a row of distances is made of, for every point of a part. */
/*@ ghost
  /@ requires size:       n <= FUMATA_DIMENSIONS_MAX && count <= FUMATA_CROWD_TILE && k < FUMATA_CROWD_FEW;
     requires part:       from + count <= size <= FUMATA_UNITS_MAX && q < centres <= FUMATA_UNITS_MAX;
     requires points:     \valid_read(x + (0 .. FumataRow(size, n) - 1)) && FumataPlacesOk(x, 0, FumataRow(size, n));
     requires centres:    \valid_read(y + (0 .. FumataRow(centres, n) - 1)) && FumataPlacesOk(y, 0, FumataRow(centres, n));
     requires norms:      \valid_read(norms + (0 .. size - 1)) && FumataNormsOk(x, n, norms, size);
     requires norm:       norm == FumataDot(y, FumataRow(q, n), y, FumataRow(q, n), n);
     requires dots:       \valid_read(dots + (0 .. FUMATA_CROWD_FEW * count - 1)) &&
                          (\forall integer r; 0 <= r < count ==> dots[FUMATA_CROWD_FEW * r + k] ==
                           FumataDot(x, FumataRow(from + r, n), y, FumataRow(q, n), n));
     terminates \true; exits \false;
     assigns              \nothing;
     ensures sums:        \forall integer r; from <= r < from + count ==>
                          norms[r] + norm - 2 * dots[FUMATA_CROWD_FEW * (r - from) + k] ==
                          FumataDistance(x, FumataRow(r, n), y, FumataRow(q, n), n);
     ensures bound:       \forall integer r; from <= r < from + count ==>
                          norms[r] <= FUMATA_CROWD_NORM && -FUMATA_CROWD_NORM <= dots[FUMATA_CROWD_FEW * (r - from) + k] &&
                          0 <= norms[r] + norm - 2 * dots[FUMATA_CROWD_FEW * (r - from) + k];
     ensures norm:        count > 0 ==> norm <= FUMATA_CROWD_NORM; @/
  void fumata_crowd_lemma_part(const int16_t *x, const uint32_t *norms, uint32_t size, uint32_t from, uint32_t count,
                               const int16_t *y, uint32_t norm, uint32_t centres, uint32_t q, uint32_t n,
                               const int32_t *dots, uint32_t k) {
    fumata_crowd_lemma_rows(q, centres, n);
    fumata_crowd_lemma_start(q, n);
    /@ assert centre: 0 <= FumataRow(q, n) && FumataRow(q, n) + n <= FumataRow(centres, n); @/
    /@ loop invariant range: 0 <= t <= count;
       loop invariant sums:  \forall integer r; from <= r < from + t ==>
                             norms[r] + norm - 2 * dots[FUMATA_CROWD_FEW * (r - from) + k] ==
                             FumataDistance(x, FumataRow(r, n), y, FumataRow(q, n), n);
       loop invariant bound: \forall integer r; from <= r < from + t ==>
                             norms[r] <= FUMATA_CROWD_NORM && -FUMATA_CROWD_NORM <= dots[FUMATA_CROWD_FEW * (r - from) + k] &&
                             0 <= norms[r] + norm - 2 * dots[FUMATA_CROWD_FEW * (r - from) + k];
       loop invariant norm:  t > 0 ==> norm <= FUMATA_CROWD_NORM;
       loop assigns          t;
       loop variant          count - t; @/
    for (uint32_t t = 0; t < count; t++) {
      fumata_crowd_lemma_rows((uint32_t)(from + t), size, n);
      fumata_crowd_lemma_start((uint32_t)(from + t), n);
      /@ assert point: 0 <= FumataRow(from + t, n) && FumataRow(from + t, n) + n <= FumataRow(size, n); @/
      fumata_crowd_lemma_distance(x, (uint64_t)(from + t) * n, y, (uint64_t)q * n, n);
      /@ assert norm: norms[from + t] == FumataDot(x, FumataRow(from + t, n), x, FumataRow(from + t, n), n); @/
      /@ assert sum:  norms[from + t] + norm - 2 * dots[FUMATA_CROWD_FEW * t + k] ==
                      FumataDistance(x, FumataRow(from + t, n), y, FumataRow(q, n), n); @/
    }
  } */

/* Distances of `count` points from one on, out of norms and sums of products. Half of two norms, so that nothing exceeds 32
 * bits. */
/*@ requires size:       count <= FUMATA_CROWD_TILE && k < FUMATA_CROWD_FEW && from <= FUMATA_UNITS_MAX;
    requires readable:   \valid_read(norms + (from .. from + count - 1));
    requires dots:       \valid_read(dots + (0 .. FUMATA_CROWD_FEW * count - 1));
    requires norm:       norm <= FUMATA_CROWD_NORM;
    requires range:      \forall integer r; from <= r < from + count ==>
                         norms[r] <= FUMATA_CROWD_NORM && -FUMATA_CROWD_NORM <= dots[FUMATA_CROWD_FEW * (r - from) + k] &&
                         0 <= norms[r] + norm - 2 * dots[FUMATA_CROWD_FEW * (r - from) + k];
    requires writable:   \valid(row + (from .. from + count - 1));
    requires apart:      \separated(row + (from .. from + count - 1), norms + (from .. from + count - 1));
    terminates \true; exits \false;
    assigns              row[from .. from + count - 1];
    ensures distances:   \forall integer r; from <= r < from + count ==>
                         row[r] == \old(norms[r] + norm - 2 * dots[FUMATA_CROWD_FEW * (r - from) + k]); */
static void fumata_crowd_row(const uint32_t *norms, uint32_t from, uint32_t count, uint32_t norm, const int32_t *dots,
                             uint32_t k, uint32_t *row) {
  uint32_t r;

  /*@ loop invariant range:     from <= r <= from + count;
      loop invariant distances: \forall integer j; from <= j < r ==>
                                row[j] == norms[j] + norm - 2 * dots[FUMATA_CROWD_FEW * (j - from) + k];
      loop invariant norms:     \forall integer j; from <= j < from + count ==> norms[j] == \at(norms[j], Pre);
      loop assigns              r, row[from .. from + count - 1];
      loop variant              from + count - r; */
  for (r = from; r < from + count; r++) {
    uint32_t both = norms[r] + norm;
    row[r] = both % 2u + 2u * (uint32_t)((int32_t)(both / 2u) - dots[FUMATA_CROWD_FEW * (r - from) + k]);
  }
}

/* The distances of `count` points of x from a few of y. */
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
    terminates \true; exits \false;
    assigns              distances[0 .. FumataRow(centres, size) - 1];
    ensures found:       \forall integer i, r; q <= i < q + FUMATA_CROWD_FEW && i < centres && from <= r < from + count ==>
                         distances[FumataRow(i, size) + r] == FumataDistance(x, FumataRow(r, n), y, FumataRow(i, n), n);
    ensures kept:        \forall integer i, r; 0 <= i < centres && 0 <= r < size &&
                         (i < q || q + FUMATA_CROWD_FEW <= i || r < from) ==>
                         distances[FumataRow(i, size) + r] == \old(distances[FumataRow(i, size) + r]); */
static void fumata_crowd_group(const int16_t *x, const uint32_t *norms, uint32_t size, uint32_t from, uint32_t count,
                               const int16_t *y, const uint32_t *others, uint32_t centres, uint32_t q, uint32_t n,
                               uint32_t *distances) {
  int32_t dots[FUMATA_CROWD_FEW * FUMATA_CROWD_TILE];
  uint32_t p;

  fumata_crowd_tile(x, size, from, count, y, centres, q, n, dots);
  /*@ loop invariant range:  q <= p <= q + FUMATA_CROWD_FEW && p <= centres;
      loop invariant norms:  FumataNormsOk(x, n, norms, size);
      loop invariant others: FumataNormsOk(y, n, others, centres);
      loop invariant found:  \forall integer i, r; q <= i < p && from <= r < from + count ==>
                             distances[FumataRow(i, size) + r] == FumataDistance(x, FumataRow(r, n), y, FumataRow(i, n), n);
      loop invariant kept:   \forall integer i, r; 0 <= i < centres && 0 <= r < size && (i < q || p <= i || r < from) ==>
                             distances[FumataRow(i, size) + r] == \at(distances[FumataRow(i, size) + r], Pre);
      loop assigns           p, distances[0 .. FumataRow(centres, size) - 1];
      loop variant           centres - p; */
  for (p = q; p - q < FUMATA_CROWD_FEW && p < centres; p++) {
    uint64_t row = fumata_crowd_start(centres, size, p, p);
    /*@ ghost fumata_crowd_lemma_rows(p, centres, size); */
    /*@ assert range: row == FumataRow(p, size) && row + from + count <= FumataRow(centres, size); */
    /*@ assert norm:  others[p] == FumataDot(y, FumataRow(p, n), y, FumataRow(p, n), n); */
    /*@ assert few:   p == q || p == q + 1 || p == q + 2 || p == q + 3; */
    /*@ assert dots:  \forall integer r; 0 <= r < count ==>
                        dots[FUMATA_CROWD_FEW * r + (p - q)] == FumataDot(x, FumataRow(from + r, n), y, FumataRow(p, n), n); */
    /*@ ghost fumata_crowd_lemma_part(x, norms, size, from, count, y, others[p], centres, p, n, &dots[0], (uint32_t)(p - q)); */
    fumata_crowd_row(norms, from, count, others[p], dots, p - q, distances + row);
    /*@ assert norms: \forall integer r; 0 <= r < size ==> norms[r] == \at(norms[r], LoopCurrent); */
    /*@ assert other: \forall integer r; 0 <= r < centres ==> others[r] == \at(others[r], LoopCurrent); */
    /*@ assert row:   \forall integer r; from <= r < from + count ==>
                        distances[FumataRow(p, size) + r] == FumataDistance(x, FumataRow(r, n), y, FumataRow(p, n), n); */
    /*@ assert rest:  \forall integer i, r; 0 <= i < centres && 0 <= r < size && (i != p || r < from) ==>
                        distances[FumataRow(i, size) + r] == \at(distances[FumataRow(i, size) + r], LoopCurrent); */
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
    ensures found:       \forall integer i, r; 0 <= i < centres && 0 <= r < size ==>
                         distances[FumataRow(i, size) + r] == FumataDistance(x, FumataRow(r, n), y, FumataRow(i, n), n); */
static void fumata_crowd_all(const int16_t *x, const uint32_t *norms, uint32_t size, const int16_t *y,
                             const uint32_t *others, uint32_t centres, uint32_t n, uint32_t *distances) {
  uint32_t count;
  uint32_t from;
  uint32_t q;

  /*@ loop invariant range:  0 <= from <= size;
      loop invariant norms:  FumataNormsOk(x, n, norms, size) && FumataNormsOk(y, n, others, centres);
      loop invariant found:  \forall integer i, r; 0 <= i < centres && 0 <= r < from ==>
                             distances[FumataRow(i, size) + r] == FumataDistance(x, FumataRow(r, n), y, FumataRow(i, n), n);
      loop assigns           from, count, q, distances[0 .. FumataRow(centres, size) - 1];
      loop variant           size - from; */
  for (from = 0u; from < size; from += count) {
    count = size - from < FUMATA_CROWD_TILE ? size - from : FUMATA_CROWD_TILE;
    /*@ loop invariant range:  0 <= q;
        loop invariant norms:  FumataNormsOk(x, n, norms, size) && FumataNormsOk(y, n, others, centres);
        loop invariant done:   \forall integer i, r; 0 <= i < q && i < centres && 0 <= r < from + count ==>
                               distances[FumataRow(i, size) + r] == FumataDistance(x, FumataRow(r, n), y, FumataRow(i, n), n);
        loop invariant rest:   \forall integer i, r; q <= i < centres && 0 <= r < from ==>
                               distances[FumataRow(i, size) + r] == FumataDistance(x, FumataRow(r, n), y, FumataRow(i, n), n);
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

/* Whether no unit's records begin before those of the unit before it. */
/*@ requires units:      units <= FUMATA_UNITS_MAX && \valid_read(first + (0 .. units));
    terminates \true; exits \false;
    assigns              \nothing;
    ensures firsts:      FumataFirstsOk(first, units) ? \result == 1 : \result == 0; */
static uint32_t fumata_crowd_firsts(const uint32_t *first, uint32_t units) {
  uint32_t u;

  /*@ loop invariant range: 0 <= u <= units;
      loop invariant firsts: FumataFirstsOk(first, u);
      loop assigns          u;
      loop variant          units - u; */
  for (u = 0u; u < units; u++) {
    if (first[u] > first[u + 1u]) {
      return 0u;
    }
  }
  return 1u;
}

/* The record that speaks, of some: the one with the smaller distance, at each. */
/*@ requires range:      from <= to;
    requires readable:   \valid_read(distances + (from .. to - 1)) && \valid_read(labels + (from .. to - 1));
    requires writable:   \valid(nearest) && \valid(spoken);
    requires apart:      \separated(nearest, spoken) && \separated(nearest, distances + (from .. to - 1)) &&
                         \separated(spoken, labels + (from .. to - 1));
    terminates \true; exits \false;
    assigns              *nearest, *spoken;
    ensures nearest:     FumataSpeaks(distances, labels, from, to, *nearest, *spoken); */
static void fumata_crowd_nearest(const uint32_t *distances, const uint16_t *labels, uint32_t from, uint32_t to,
                                 uint32_t *nearest, uint16_t *spoken) {
  uint32_t least = UINT32_MAX;
  uint32_t label = 65535u;
  uint32_t i;
  /*@ ghost uint32_t who = from; */

  /*@ loop invariant range: from <= i <= to;
      loop invariant none:  i == from ==> least == 4294967295 && label == 65535;
      loop invariant some:  i > from ==> FumataIsNearest(distances, from, i, who) && least == distances[who] &&
                            label == labels[who];
      loop assigns          i, least, label, who;
      loop variant          to - i; */
  for (i = from; i < to; i++) {
    uint32_t nearer = (uint32_t)(distances[i] < least) | (uint32_t)(i == from);
    /*@ ghost
      if (nearer == 1) {
        who = i;
      } */
    label = nearer * labels[i] + (1u - nearer) * label;
    least = nearer * distances[i] + (1u - nearer) * least;
  }
  *nearest = least;
  *spoken = (uint16_t)label;
}

fumata_status fumata_crowd_speak(const uint32_t *first, uint32_t units, const uint32_t *distances,
                                 const uint16_t *labels, uint32_t *nearest, uint16_t *spoken) {
  uint32_t u;

  if (!fumata_crowd_firsts(first, units)) {
    return FUMATA_ERR_LIST;
  }
  /*@ loop invariant range:   0 <= u <= units;
      loop invariant nearest: \forall integer v; 0 <= v < u ==>
                              FumataSpeaks(distances, labels, first[v], first[v + 1], nearest[v], spoken[v]);
      loop assigns            u, nearest[0 .. units - 1], spoken[0 .. units - 1];
      loop variant            units - u; */
  for (u = 0u; u < units; u++) {
    fumata_crowd_nearest(distances, labels, first[u], first[u + 1u], nearest + u, spoken + u);
  }
  return FUMATA_OK;
}
