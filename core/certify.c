#include "certify.h"

#ifdef __FRAMAC__
#include "algebra.acsl"
#endif

/*@
  // 1 + x + ... + x^(n - 1).
  logic real FumataSeries(real x, integer n) = n <= 1 ? 1.0 : 1 + x * FumataSeries(x, n - 1);

  // 1 - (1 - r) ((1 - p) / (1 - r))^n, in a form that loses no digits when p and r are small.
  logic real FumataRoom(real p, real r, integer n) = r + (p - r) * FumataSeries((1 - p) / (1 - r), n);

  predicate FumataShares(real p, real r) = 0 < p < 1 && 0 < r < 1;

  // x is how much likelier speech is on one side.
  predicate FumataSpeech(real p, real r, real x) = FumataShares(p, r) && (1 - p) / (1 - r) == x;

  predicate FumataRoomLaw(real p, real r, real x, integer n) =
    FumataRoom(p, r, n) == 1 - (1 - r) * FumataPow(x, n);

  predicate FumataRoomOver(integer p, integer r, integer n, real x) =
    x <= FumataRoom(FumataShare(p), FumataShare(r), n);

  // What the two ratios of Theorem C say of one place.
  predicate FumataThresholdPlace{L}(uint64_t *cdf, integer size, integer j, real x) =
    FumataShare(FumataCoins(cdf, size, j)) <= x * FumataShare(FumataCoins(cdf, size, j - 1));

  predicate FumataQueryPlace{L}(uint64_t *cdf, integer size, integer j, real x) =
    FumataShare(FumataReach(cdf, size, j)) <= x * FumataShare(FumataReach(cdf, size, j - 2));
*/

/* Laws of powers. Each is proved by the loop in its body, whose invariant is the induction. */
/*@ ghost
  /@
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures power:       0 <= i ==> \forall real x; FumataPow(x, i + 1) == x * FumataPow(x, i);
    ensures series:      1 <= i ==> \forall real x; FumataSeries(x, i + 1) == 1 + x * FumataSeries(x, i);
  @/
  void fumata_certify_unfold(uint32_t i) {
  }
*/

/*@ ghost
  /@
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures law:         FumataPow(1.0, n) == 1;
  @/
  void fumata_certify_pow_one(uint32_t n) {
    uint32_t i = 0;
    /@
      loop invariant range:    0 <= i <= n;
      loop invariant law:      FumataPow(1.0, i) == 1;
      loop assigns             i;
      loop variant             n - i;
    @/
    while (i < n) {
      fumata_certify_unfold(i);
      i++;
    }
  }
*/

/*@ ghost
  /@
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures law:         \forall real x, y; FumataOrdered(x, y) ==> 0 <= FumataPow(x, n) <= FumataPow(y, n);
  @/
  void fumata_certify_pow_grows(uint32_t n) {
    uint32_t i = 0;
    /@
      loop invariant range:    0 <= i <= n;
      loop invariant law:      \forall real x, y; FumataOrdered(x, y) ==> 0 <= FumataPow(x, i) <= FumataPow(y, i);
      loop assigns             i;
      loop variant             n - i;
    @/
    while (i < n) {
      /@ assert nested:   \forall real x, y; FumataOrdered(x, y) ==>
                          FumataNested(x, y, FumataPow(x, i), FumataPow(y, i)); @/
      /@ assert positive: \forall real x, y; FumataOrdered(x, y) ==> FumataPositive(x, FumataPow(x, i)); @/
      /@ assert products: \forall real x, y; FumataOrdered(x, y) ==>
                          0 <= x * FumataPow(x, i) <= y * FumataPow(y, i); @/
      fumata_certify_unfold(i);
      i++;
    }
  }
*/

/*@ ghost
  /@
    requires some:       1 <= n;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures law:         \forall real x, y; FumataOrdered(x, y) ==> 0 <= FumataSeries(x, n) <= FumataSeries(y, n);
  @/
  void fumata_certify_series_grows(uint32_t n) {
    uint32_t i = 1;
    /@
      loop invariant range:    1 <= i <= n;
      loop invariant law:      \forall real x, y; FumataOrdered(x, y) ==> 0 <= FumataSeries(x, i) <= FumataSeries(y, i);
      loop assigns             i;
      loop variant             n - i;
    @/
    while (i < n) {
      /@ assert nested:   \forall real x, y; FumataOrdered(x, y) ==>
                          FumataNested(x, y, FumataSeries(x, i), FumataSeries(y, i)); @/
      /@ assert positive: \forall real x, y; FumataOrdered(x, y) ==> FumataPositive(x, FumataSeries(x, i)); @/
      /@ assert products: \forall real x, y; FumataOrdered(x, y) ==>
                          0 <= x * FumataSeries(x, i) <= y * FumataSeries(y, i); @/
      fumata_certify_unfold(i);
      i++;
    }
  }
*/

/*@ ghost
  /@
    requires some:       1 <= n;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures law:         \forall real x; FumataSeries(x, n) * (1 - x) == 1 - FumataPow(x, n);
  @/
  void fumata_certify_series_sum(uint32_t n) {
    uint32_t i = 1;
    /@
      loop invariant range:    1 <= i <= n;
      loop invariant law:      \forall real x; FumataSeries(x, i) * (1 - x) == 1 - FumataPow(x, i);
      loop assigns             i;
      loop variant             n - i;
    @/
    while (i < n) {
      /@ assert shifts:  \forall real x; FumataShifts(x, FumataSeries(x, i), 1 - x, x * FumataSeries(x, i),
                                                      1 - FumataPow(x, i)); @/
      /@ assert product: \forall real x; (x * FumataSeries(x, i)) * (1 - x) == x * (1 - FumataPow(x, i)); @/
      /@ assert sum:     \forall real x; (1 + x * FumataSeries(x, i)) * (1 - x) == 1 - x * FumataPow(x, i); @/
      fumata_certify_unfold(i);
      /@ assert moves:   \forall real x; FumataMoves(1.0, FumataSeries(x, i + 1), 1 - x, 1 + x * FumataSeries(x, i),
                                                     FumataSeries(x, i + 1) * (1 - x),
                                                     (1 + x * FumataSeries(x, i)) * (1 - x),
                                                     FumataSeries(x, i + 1) * (1 - x)); @/
      /@ assert next:    \forall real x; FumataSeries(x, i + 1) * (1 - x) ==
                                         (1 + x * FumataSeries(x, i)) * (1 - x); @/
      i++;
    }
  }
*/

/*@ ghost
  /@
    requires some:       1 <= n;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures moves:       \forall real p, r, x; FumataSpeech(p, r, x) ==>
                         FumataMoves(1 - r, 1 - x, FumataSeries(x, n), p - r, 1 - FumataPow(x, n),
                                     (p - r) * FumataSeries(x, n), (1 - r) * (1 - FumataPow(x, n)));
  @/
  void fumata_certify_room_moves(uint32_t n) {
    fumata_certify_series_sum(n);
    /@ assert whole: \forall real p, r, x; FumataSpeech(p, r, x) ==> (1 - r) * x == 1 - p; @/
    /@ assert parts: \forall real p, r, x; FumataSpeech(p, r, x) ==> (1 - r) * (1 - x) == p - r; @/
  }
*/

/*@ ghost
  /@
    requires some:       1 <= n;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures law:         \forall real p, r, x; FumataSpeech(p, r, x) ==> FumataRoomLaw(p, r, x, n);
  @/
  void fumata_certify_room_law(uint32_t n) {
    fumata_certify_room_moves(n);
    /@ assert equal: \forall real p, r, x; FumataSpeech(p, r, x) ==>
                     (p - r) * FumataSeries(x, n) == (1 - r) * (1 - FumataPow(x, n)); @/
    /@ assert room:  \forall real p, r, x; FumataSpeech(p, r, x) ==>
                     FumataRoom(p, r, n) == r + (p - r) * FumataSeries(x, n); @/
  }
*/

/*@ ghost
  /@
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures order:       a <= b ==> (real)a <= (real)b;
    ensures strict:      a < b ==> (real)a < (real)b;
    ensures plus:        (real)(a + b) == (real)a + (real)b;
    ensures minus:       (real)(a - b) == (real)a - (real)b;
  @/
  void fumata_certify_integers(uint64_t a, uint64_t b) {
  }
*/

/*@ ghost
  /@
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures small:       1 <= a ==> 0 < FumataShare(a) < 1;
    ensures order:       b <= a ==> FumataShare(b) <= FumataShare(a);
    ensures minus:       FumataShare(a - b) == FumataShare(a) - FumataShare(b);
    ensures rest:        FumataShare(18446744073709551616 - a) == 1 - FumataShare(a);
  @/
  void fumata_certify_shares(uint64_t a, uint64_t b) {
    fumata_certify_integers(a, b);
    fumata_certify_integers(b, a);
    fumata_certify_integers(0, a);
    fumata_certify_integers(a, UINT64_MAX);
    fumata_certify_integers(UINT64_MAX, a);
    fumata_certify_integers(UINT64_MAX - a, 1);
  }
*/

/*@ ghost
  /@
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures zero:        FumataShare(0) == 0.0;
    ensures positive:    0 <= FumataShare(a);
  @/
  void fumata_certify_sign(uint64_t a) {
    fumata_certify_integers(0, a);
  }
*/

/*@ ghost
  /@
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures price:       4294967296 <= v ==> 1 <= FumataFixed(v);
  @/
  void fumata_certify_price(uint64_t v) {
    fumata_certify_integers(4294967296, v);
  }
*/

/*@ ghost
  /@
    requires some:       1 <= b;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures positive:    0 <= FumataShare(a) / FumataShare(b);
    ensures one:         FumataShare(b) / FumataShare(b) == 1.0;
    ensures rest:        (1 - FumataShare(b)) / (1 - FumataShare(b)) == 1.0;
  @/
  void fumata_certify_quotients(uint64_t a, uint64_t b) {
    fumata_certify_shares(a, b);
    fumata_certify_shares(b, a);
    /@ assert under: FumataUnder(0.0, FumataShare(b), FumataShare(a)); @/
    /@ assert part:  FumataPart(1 - FumataShare(b), 1 - FumataShare(b),
                                (1 - FumataShare(b)) / (1 - FumataShare(b))); @/
  }
*/

/* A bound of 1 + x + ... + x^(n - 1). */
/*@
  requires number:     FumataIsNumber(x, 512) && 0 < FumataValue(x);
  requires power:      1 <= n <= FUMATA_ALPHA_MAX;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures below:       FumataBelow(\result, FumataSeries(FumataValue(x), n));
  ensures range:       FumataIsNumber(\result, 4194304);
*/
static fumata_number fumata_certify_series_down(fumata_number x, uint32_t n) {
  fumata_number one = fumata_round_whole_down(1);
  fumata_number sum = one;
  uint32_t i;

  /*@ assert one: FumataRoundsDown(one, 1.0); */
  /*@
    loop invariant range:    1 <= i <= n;
    loop invariant number:   FumataIsNumber(sum, 1024 * i);
    loop invariant below:    FumataBelow(sum, FumataSeries(FumataValue(x), i));
    loop invariant positive: 0 <= FumataSeries(FumataValue(x), i);
    loop assigns             i, sum;
    loop variant             n - i;
  */
  for (i = 1; i < n; i++) {
    /*@ ghost fumata_certify_unfold(i); */
    /*@ assert step: FumataNested(FumataValue(sum), FumataSeries(FumataValue(x), i), FumataValue(x), FumataValue(x)); */
    /*@ assert more: FumataPositive(FumataSeries(FumataValue(x), i), FumataValue(x)); */
    sum = fumata_round_add_down(one, fumata_round_mul_down(x, sum));
  }
  return sum;
}

/*@
  requires number:     FumataIsNumber(x, 512) && 0 < FumataValue(x);
  requires power:      1 <= n <= FUMATA_ALPHA_MAX;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures above:       FumataAbove(\result, FumataSeries(FumataValue(x), n));
  ensures range:       FumataIsNumber(\result, 4194304);
*/
static fumata_number fumata_certify_series_up(fumata_number x, uint32_t n) {
  fumata_number one = fumata_round_whole_up(1);
  fumata_number sum = one;
  uint32_t i;

  /*@ assert one: FumataRoundsUp(one, 1.0); */
  /*@
    loop invariant range:    1 <= i <= n;
    loop invariant number:   FumataIsNumber(sum, 1024 * i);
    loop invariant above:    FumataAbove(sum, FumataSeries(FumataValue(x), i));
    loop invariant positive: 0 <= FumataSeries(FumataValue(x), i);
    loop assigns             i, sum;
    loop variant             n - i;
  */
  for (i = 1; i < n; i++) {
    /*@ ghost fumata_certify_unfold(i); */
    /*@ assert step: FumataNested(FumataSeries(FumataValue(x), i), FumataValue(sum), FumataValue(x), FumataValue(x)); */
    /*@ assert more: FumataPositive(FumataSeries(FumataValue(x), i), FumataValue(x)); */
    sum = fumata_round_add_up(one, fumata_round_mul_up(x, sum));
  }
  return sum;
}

/* 2^64 - coins. */
/*@
  requires some:       1 <= coins;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures rest:        \result == 18446744073709551616 - coins;
*/
static uint64_t fumata_certify_speech(uint64_t coins) {
  return UINT64_MAX - coins + 1;
}

/* A bound of a / b, both in coins. */
/*@
  requires some:       1 <= a && 1 <= b;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures below:       FumataBelow(\result, FumataShare(a) / FumataShare(b));
  ensures range:       FumataIsNumber(\result, 512);
*/
static fumata_number fumata_certify_ratio_down(uint64_t a, uint64_t b) {
  fumata_number top = fumata_round_share_down(a);
  fumata_number bottom = fumata_round_share_up(b);

  /*@ assert ratio:  FumataFraction(FumataValue(top), FumataValue(bottom), FumataShare(a), FumataShare(b)); */
  /*@ assert ratios: FumataRatios(FumataValue(top), FumataValue(bottom), FumataShare(a), FumataShare(b),
                                  FumataValue(top) / FumataValue(bottom), FumataShare(a) / FumataShare(b)); */
  return fumata_round_div_down(top, bottom);
}

/*@
  requires some:       1 <= a && 1 <= b;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures above:       FumataAbove(\result, FumataShare(a) / FumataShare(b));
  ensures range:       FumataIsNumber(\result, 512);
*/
static fumata_number fumata_certify_ratio_up(uint64_t a, uint64_t b) {
  fumata_number top = fumata_round_share_up(a);
  fumata_number bottom = fumata_round_share_down(b);

  /*@ assert ratio:  FumataFraction(FumataShare(a), FumataShare(b), FumataValue(top), FumataValue(bottom)); */
  /*@ assert ratios: FumataRatios(FumataShare(a), FumataShare(b), FumataValue(top), FumataValue(bottom),
                                  FumataShare(a) / FumataShare(b), FumataValue(top) / FumataValue(bottom)); */
  return fumata_round_div_up(top, bottom);
}

/* A lower bound of 1 - b of Theorem M, or a mantissa of zero. With x = q / q' it is
 * 1 - q' x^n = p' + q' (1 - x) (1 + x + ... + x^(n - 1)) = p' + (p - p') (1 + x + ... + x^(n - 1)). */
/*@
  requires some:       1 <= p && 1 <= r && p != r;
  requires power:      2 <= alpha <= FUMATA_ALPHA_MAX;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures below:       \result.mantissa != 0 ==>
                       FumataBelow(\result, FumataRoom(FumataShare(p), FumataShare(r), alpha));
  ensures range:       \result.mantissa != 0 ==> FumataIsNumber(\result, 8388608);
*/
static fumata_number fumata_certify_room(uint64_t p, uint64_t r, uint32_t alpha) {
  uint64_t q = fumata_certify_speech(p);
  uint64_t s = fumata_certify_speech(r);
  fumata_number base = fumata_round_share_down(r);
  fumata_number x, sum, part, change;

  /*@ assert meaning: \forall real x; FumataRoomOver(p, r, alpha, x) ==>
                      x <= FumataRoom(FumataShare(p), FumataShare(r), alpha); */
  /*@ ghost fumata_certify_series_grows(alpha); */
  /*@ ghost fumata_certify_shares(p, r); */
  /*@ ghost fumata_certify_shares(r, p); */
  /*@ ghost fumata_certify_quotients(q, s); */
  if (p > r) {
    x = fumata_certify_ratio_down(q, s);
    sum = fumata_certify_series_down(x, alpha);
    part = fumata_round_share_down(p - r);
    /*@ assert ordered: FumataOrdered(FumataValue(x), (1 - FumataShare(p)) / (1 - FumataShare(r))); */
    /*@ assert change: FumataNested(FumataValue(part), FumataShare(p) - FumataShare(r), FumataValue(sum),
                         FumataSeries((1 - FumataShare(p)) / (1 - FumataShare(r)), alpha)); */
    change = fumata_round_mul_down(part, sum);
    /*@ assert below: FumataValue(change) <= (FumataShare(p) - FumataShare(r)) *
                        FumataSeries((1 - FumataShare(p)) / (1 - FumataShare(r)), alpha); */
    /*@ assert room: FumataRoomOver(p, r, alpha, FumataValue(base) + FumataValue(change)); */
    return fumata_round_add_down(base, change);
  }
  x = fumata_certify_ratio_up(q, s);
  sum = fumata_certify_series_up(x, alpha);
  part = fumata_round_share_up(r - p);
  /*@ assert ordered: FumataOrdered((1 - FumataShare(p)) / (1 - FumataShare(r)), FumataValue(x)); */
  /*@ assert change: FumataNested(FumataShare(r) - FumataShare(p), FumataValue(part),
                       FumataSeries((1 - FumataShare(p)) / (1 - FumataShare(r)), alpha), FumataValue(sum)); */
  change = fumata_round_mul_up(part, sum);
  /*@ assert above: FumataValue(change) >= (FumataShare(r) - FumataShare(p)) *
                      FumataSeries((1 - FumataShare(p)) / (1 - FumataShare(r)), alpha); */
  /*@ assert room: FumataRoomOver(p, r, alpha, FumataValue(base) - FumataValue(change)); */
  return fumata_round_sub_down(base, change);
}

/* An upper bound of a of Theorem M. */
/*@
  requires some:       1 <= p && 1 <= r;
  requires power:      2 <= alpha <= FUMATA_ALPHA_MAX;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures above:       FumataAbove(\result, FumataShare(p) * FumataPow(FumataShare(p) / FumataShare(r), alpha - 1));
  ensures range:       FumataIsNumber(\result, 1099511627776);
*/
static fumata_number fumata_certify_silent(uint64_t p, uint64_t r, uint32_t alpha) {
  fumata_number share = fumata_round_share_up(p);
  fumata_number ratio = fumata_certify_ratio_up(p, r);
  fumata_number power = fumata_round_pow_up(ratio, alpha - 1);

  /*@ ghost fumata_certify_pow_grows(alpha - 1); */
  /*@ ghost fumata_certify_shares(p, p); */
  /*@ ghost fumata_certify_quotients(p, r); */
  /*@ assert ordered: FumataOrdered(FumataShare(p) / FumataShare(r), FumataValue(ratio)); */
  /*@ assert silent:  FumataNested(FumataShare(p), FumataValue(share),
                        FumataPow(FumataShare(p) / FumataShare(r), alpha - 1), FumataValue(power)); */
  return fumata_round_mul_up(share, power);
}

/*@
  requires some:       1 <= p && 1 <= r;
  requires power:      2 <= alpha <= FUMATA_ALPHA_MAX;
  requires price:      4294967296 <= v;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures boolean:     \result == 0 || \result == 1;
  ensures same:        p == r ==> \result == 1;
  ensures step:        \result == 1 ==>
                       FumataStep(FumataShare(p), FumataShare(r), alpha, FumataFixed(v));
*/
static int fumata_certify_step(uint64_t p, uint64_t r, uint32_t alpha, uint64_t v) {
  fumata_number room, silent, price, right;

  if (p == r) {
    /*@ assert terms: FumataShare(p) * FumataPow(FumataShare(p) / FumataShare(p), alpha - 1) +
                      (1 - FumataShare(p)) * FumataPow((1 - FumataShare(p)) / (1 - FumataShare(p)), alpha) *
                        FumataFixed(v) <= FumataFixed(v) ==>
                      FumataStep(FumataShare(p), FumataShare(p), alpha, FumataFixed(v)); */
    /*@ ghost fumata_certify_pow_one(alpha); */
    /*@ ghost fumata_certify_pow_one(alpha - 1); */
    /*@ ghost fumata_certify_shares(p, p); */
    /*@ ghost fumata_certify_price(v); */
    /*@ ghost fumata_certify_quotients(p, p); */
    /*@ assert worth: FumataNested(1.0, FumataFixed(v), FumataShare(p), FumataShare(p)); */
    /*@ assert price: FumataProducts(1.0, FumataFixed(v), FumataShare(p), FumataShare(p), FumataShare(p),
                                     FumataFixed(v) * FumataShare(p)); */
    /*@ assert least: FumataShare(p) <= FumataFixed(v) * FumataShare(p); */
    /*@ assert quiet: FumataPow(FumataShare(p) / FumataShare(p), alpha - 1) == 1.0; */
    /*@ assert loud:  FumataPow((1 - FumataShare(p)) / (1 - FumataShare(p)), alpha) == 1.0; */
    /*@ assert first: FumataMoves(1.0, FumataPow(FumataShare(p) / FumataShare(p), alpha - 1), FumataShare(p), 1.0,
                        FumataPow(FumataShare(p) / FumataShare(p), alpha - 1) * FumataShare(p), FumataShare(p),
                        FumataShare(p) * FumataPow(FumataShare(p) / FumataShare(p), alpha - 1)); */
    /*@ assert other: FumataMoves(1.0, FumataPow((1 - FumataShare(p)) / (1 - FumataShare(p)), alpha),
                        (1 - FumataShare(p)) * FumataFixed(v), 1.0,
                        FumataPow((1 - FumataShare(p)) / (1 - FumataShare(p)), alpha) *
                          ((1 - FumataShare(p)) * FumataFixed(v)),
                        (1 - FumataShare(p)) * FumataFixed(v),
                        (1 - FumataShare(p)) * FumataPow((1 - FumataShare(p)) / (1 - FumataShare(p)), alpha) *
                          FumataFixed(v)); */
    /*@ assert sum:   FumataShare(p) * FumataPow(FumataShare(p) / FumataShare(p), alpha - 1) +
                      (1 - FumataShare(p)) * FumataPow((1 - FumataShare(p)) / (1 - FumataShare(p)), alpha) *
                        FumataFixed(v) <= FumataFixed(v); */
    /*@ assert step:  FumataStep(FumataShare(p), FumataShare(p), alpha, FumataFixed(v)); */
    return 1;
  }
  room = fumata_certify_room(p, r, alpha);
  if (room.mantissa == 0) {
    return 0;
  }
  silent = fumata_certify_silent(p, r, alpha);
  price = fumata_round_fixed_down(v);
  /*@ ghost fumata_certify_room_law(alpha); */
  /*@ ghost fumata_certify_shares(p, p); */
  /*@ ghost fumata_certify_shares(r, r); */
  /*@ assert shares: FumataShares(FumataShare(p), FumataShare(r)); */
  /*@ assert room:   FumataNested(FumataValue(room), FumataRoom(FumataShare(p), FumataShare(r), alpha),
                       FumataValue(price), FumataFixed(v)); */
  /*@ assert speech: FumataSpeech(FumataShare(p), FumataShare(r), (1 - FumataShare(p)) / (1 - FumataShare(r))); */
  /*@ assert told:   FumataRoomLaw(FumataShare(p), FumataShare(r), (1 - FumataShare(p)) / (1 - FumataShare(r)),
                                   alpha); */
  /*@ assert law:    FumataRoom(FumataShare(p), FumataShare(r), alpha) ==
                       1 - (1 - FumataShare(r)) * FumataPow((1 - FumataShare(p)) / (1 - FumataShare(r)), alpha); */
  right = fumata_round_mul_down(room, price);
  /*@ assert right:  FumataValue(right) <= FumataRoom(FumataShare(p), FumataShare(r), alpha) * FumataFixed(v); */
  /*@ assert moves:  FumataMoves(1.0, FumataRoom(FumataShare(p), FumataShare(r), alpha), FumataFixed(v),
                       1 - (1 - FumataShare(r)) * FumataPow((1 - FumataShare(p)) / (1 - FumataShare(r)), alpha),
                       FumataRoom(FumataShare(p), FumataShare(r), alpha) * FumataFixed(v),
                       FumataFixed(v) - (1 - FumataShare(r)) *
                         FumataPow((1 - FumataShare(p)) / (1 - FumataShare(r)), alpha) * FumataFixed(v),
                       FumataRoom(FumataShare(p), FumataShare(r), alpha) * FumataFixed(v)); */
  /*@ assert most:   FumataValue(right) <= FumataFixed(v) - (1 - FumataShare(r)) *
                       FumataPow((1 - FumataShare(p)) / (1 - FumataShare(r)), alpha) * FumataFixed(v); */
  /*@ assert step:   FumataValue(silent) <= FumataValue(right) ==>
                       FumataStep(FumataShare(p), FumataShare(r), alpha, FumataFixed(v)); */
  return fumata_round_le(silent, right);
}

/* An upper bound of 1 / p. */
/*@
  requires some:       1 <= p;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures above:       FumataAbove(\result, 1 / FumataShare(p));
  ensures positive:    0 <= 1 / FumataShare(p);
  ensures range:       FumataIsNumber(\result, 512);
*/
static fumata_number fumata_certify_inverse(uint64_t p) {
  fumata_number one = fumata_round_whole_up(1);
  fumata_number share = fumata_round_share_down(p);

  /*@ assert one:    FumataRoundsUp(one, 1.0); */
  /*@ assert ratio:  FumataFraction(1.0, FumataShare(p), FumataValue(one), FumataValue(share)); */
  /*@ assert ratios: FumataRatios(1.0, FumataShare(p), FumataValue(one), FumataValue(share),
                                  1 / FumataShare(p), FumataValue(one) / FumataValue(share)); */
  return fumata_round_div_up(one, share);
}

/*@
  requires some:       1 <= p;
  requires power:      2 <= alpha <= FUMATA_ALPHA_MAX;
  requires price:      4294967296 <= v;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures boolean:     \result == 0 || \result == 1;
  ensures first:       \result == 1 ==> FumataFirst(FumataShare(p), alpha, FumataFixed(v));
*/
static int fumata_certify_first(uint64_t p, uint32_t alpha, uint64_t v) {
  fumata_number inverse = fumata_certify_inverse(p);

  /*@ ghost fumata_certify_pow_grows(alpha - 1); */
  /*@ assert ordered:  FumataOrdered(1 / FumataShare(p), FumataValue(inverse)); */
  return fumata_round_le(fumata_round_pow_up(inverse, alpha - 1), fumata_round_fixed_down(v));
}

/* An upper bound of c(alpha). */
/*@
  requires power:      2 <= alpha <= FUMATA_ALPHA_MAX;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures above:       FumataAbove(\result, FumataPeak(alpha));
  ensures positive:    0 <= FumataPeak(alpha);
  ensures range:       FumataIsNumber(\result, 1099511627776);
*/
static fumata_number fumata_certify_peak(uint32_t alpha) {
  fumata_number one = fumata_round_whole_up(1);
  fumata_number less = fumata_round_whole_up(alpha - 1);
  fumata_number whole = fumata_round_whole_down(alpha);
  fumata_number share = fumata_round_div_up(one, whole);
  fumata_number ratio = fumata_round_div_up(less, whole);
  fumata_number power = fumata_round_pow_up(ratio, alpha - 1);

  /*@ ghost fumata_certify_pow_grows(alpha - 1); */
  /*@ assert one:     FumataRoundsUp(one, 1.0); */
  /*@ assert less:    FumataRoundsUp(less, (real)(alpha - 1)); */
  /*@ assert share:   FumataFraction(1.0, (real)alpha, FumataValue(one), FumataValue(whole)); */
  /*@ assert ratio:   FumataFraction((real)(alpha - 1), (real)alpha, FumataValue(less), FumataValue(whole)); */
  /*@ assert same:    (real)(alpha - 1) / (real)alpha == 1 - 1.0 / alpha; */
  /*@ assert part:    0 <= 1.0 / alpha <= 1; */
  /*@ assert shares:  FumataRatios(1.0, (real)alpha, FumataValue(one), FumataValue(whole), 1.0 / alpha,
                                   FumataValue(one) / FumataValue(whole)); */
  /*@ assert ratios:  FumataRatios((real)(alpha - 1), (real)alpha, FumataValue(less), FumataValue(whole),
                                   1 - 1.0 / alpha, FumataValue(less) / FumataValue(whole)); */
  /*@ assert ordered: FumataOrdered(1 - 1.0 / alpha, FumataValue(ratio)); */
  /*@ assert both:    FumataNested(1.0 / alpha, FumataValue(share), FumataPow(1 - 1.0 / alpha, alpha - 1),
                                   FumataValue(power)); */
  /*@ assert product: FumataPositive(1.0 / alpha, FumataPow(1 - 1.0 / alpha, alpha - 1)); */
  /*@ assert peak:    FumataProducts(1.0 / alpha, FumataValue(share), FumataPow(1 - 1.0 / alpha, alpha - 1),
                                     FumataValue(power), FumataPeak(alpha),
                                     FumataValue(share) * FumataValue(power)); */
  return fumata_round_mul_up(share, power);
}

/*@ ghost
  /@
    requires some:       1 <= b && 1 <= c;
    terminates           \true;
    exits                \false;
    assigns              \nothing;
    ensures law:         (real)(a * k) / (real)(b * c) == k * ((real)a / (real)b) / c;
  @/
  void fumata_certify_rate(uint64_t a, uint64_t k, uint64_t b, uint64_t c) {
    /@ assert top:      (real)(a * k) == (real)a * (real)k; @/
    /@ assert bottom:   (real)(b * c) == (real)b * (real)c; @/
    /@ assert line:     FumataBelowLine((real)b, (real)c); @/
    /@ assert rate:     FumataRate((real)a, (real)k, (real)b, (real)c, (real)(a * k) / (real)(b * c),
                                   k * ((real)a / (real)b) / c); @/
  }
*/

/* A lower bound of exp((alpha - 1) num / den). */
/*@
  requires some:       1 <= num && 1 <= den;
  requires power:      2 <= alpha <= FUMATA_ALPHA_MAX;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures below:       FumataBelow(\result, FumataExpBelow((alpha - 1) * ((real)num / (real)den) / 65536));
  ensures range:       FumataIsNumber(\result, 8796093022208);
*/
static fumata_number fumata_certify_exp(uint32_t num, uint32_t den, uint32_t alpha) {
  fumata_number top = fumata_round_whole_down((uint64_t)num * (alpha - 1));
  fumata_number bottom = fumata_round_whole_up((uint64_t)den * 65536);
  fumata_number y = fumata_round_div_down(top, bottom);
  fumata_number two = fumata_round_whole_up(2);
  fumata_number square = fumata_round_mul_down(y, y);
  fumata_number half = fumata_round_div_down(square, two);
  fumata_number one = fumata_round_whole_down(1);
  fumata_number base = fumata_round_add_down(one, fumata_round_add_down(y, half));

  /*@ assert top:     FumataRoundsDown(top, (real)(num * (alpha - 1))); */
  /*@ assert bottom:  FumataRoundsUp(bottom, (real)(den * 65536)); */
  /*@ assert two:     FumataRoundsUp(two, 2.0); */
  /*@ assert one:     FumataRoundsDown(one, 1.0); */
  /*@ ghost fumata_certify_pow_grows(65536); */
  /*@ assert ratio:   FumataFraction(FumataValue(top), FumataValue(bottom), (real)(num * (alpha - 1)),
                                     (real)(den * 65536)); */
  /*@ ghost fumata_certify_rate(num, alpha - 1, den, 65536); */
  /*@ assert same:    (real)(num * (alpha - 1)) / (real)(den * 65536) ==
                      (alpha - 1) * ((real)num / (real)den) / 65536; */
  /*@ assert least:   FumataValue(y) <= (alpha - 1) * ((real)num / (real)den) / 65536; */
  /*@ assert square:  FumataNested(FumataValue(y), (alpha - 1) * ((real)num / (real)den) / 65536,
                        FumataValue(y), (alpha - 1) * ((real)num / (real)den) / 65536); */
  /*@ assert half:    FumataFraction(FumataValue(square), FumataValue(two),
                        (alpha - 1) * ((real)num / (real)den) / 65536 *
                        ((alpha - 1) * ((real)num / (real)den) / 65536), 2.0); */
  /*@ assert halves:  FumataRatios(FumataValue(square), FumataValue(two),
                        (alpha - 1) * ((real)num / (real)den) / 65536 *
                        ((alpha - 1) * ((real)num / (real)den) / 65536), 2.0,
                        FumataValue(square) / FumataValue(two),
                        (alpha - 1) * ((real)num / (real)den) / 65536 *
                        ((alpha - 1) * ((real)num / (real)den) / 65536) / 2); */
  /*@ assert ordered: FumataOrdered(FumataValue(base), 1 + (alpha - 1) * ((real)num / (real)den) / 65536 +
                        (alpha - 1) * ((real)num / (real)den) / 65536 *
                        ((alpha - 1) * ((real)num / (real)den) / 65536) / 2); */
  return fumata_round_pow_down(base, 65536);
}

/* An upper bound of the moment after `limit` silences, with c(alpha). */
/*@
  requires power:      2 <= alpha <= FUMATA_ALPHA_MAX;
  requires limit:      1 <= limit <= FUMATA_SILENCES_MAX;
  requires growth:     FumataIsNumber(growth, 16777216) && 0 < FumataValue(growth);

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures above:       \forall real g; FumataOrdered(g, FumataValue(growth)) ==>
                       FumataPeak(alpha) * FumataPow(g, limit) <= FumataValue(\result);
  ensures range:       FumataIsNumber(\result, FUMATA_ROUND_RANGE);
*/
static fumata_number fumata_certify_moment(uint32_t alpha, uint32_t limit, fumata_number growth) {
  fumata_number peak = fumata_certify_peak(alpha);
  fumata_number power = fumata_round_pow_up(growth, limit);

  /*@ ghost fumata_certify_pow_grows(limit); */
  /*@ assert nested:  \forall real g; FumataOrdered(g, FumataValue(growth)) ==>
                      FumataNested(FumataPeak(alpha), FumataValue(peak), FumataPow(g, limit), FumataValue(power)); */
  /*@ assert product: \forall real g; FumataOrdered(g, FumataValue(growth)) ==>
                      FumataPeak(alpha) * FumataPow(g, limit) <= FumataValue(peak) * FumataValue(power); */
  return fumata_round_mul_up(peak, power);
}

/* A lower bound of what is left of delta, or a mantissa of zero. */
/*@
  requires claim:      \valid_read(claim) && FumataClaimOk(claim);
  requires limit:      1 <= limit <= FUMATA_SILENCES_MAX;
  requires loss:       FumataIsNumber(loss, 134217728) && 0 < FumataValue(loss);

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures below:       \result.mantissa != 0 ==> \forall real l; FumataOrdered(l, FumataValue(loss)) ==>
                       0 < FumataValue(\result) <= FumataRest(FumataDelta(claim), limit, l);
  ensures range:       \result.mantissa != 0 ==> FumataIsNumber(\result, 1024);
*/
static fumata_number fumata_certify_left(const fumata_claim *claim, uint32_t limit, fumata_number loss) {
  fumata_number top = fumata_round_whole_down(claim->delta_num);
  fumata_number bottom = fumata_round_whole_up(claim->delta_den);
  fumata_number times = fumata_round_whole_up(limit);
  fumata_number delta = fumata_round_div_down(top, bottom);
  fumata_number lost = fumata_round_mul_up(times, loss);

  /*@ assert delta:   FumataFraction(FumataValue(top), FumataValue(bottom), (real)claim->delta_num,
                                     (real)claim->delta_den); */
  /*@ assert ratios:  FumataRatios(FumataValue(top), FumataValue(bottom), (real)claim->delta_num,
                                   (real)claim->delta_den, FumataValue(top) / FumataValue(bottom),
                                   FumataDelta(claim)); */
  /*@ assert within:  FumataValue(delta) <= FumataDelta(claim); */
  /*@ assert nested:  \forall real l; FumataOrdered(l, FumataValue(loss)) ==>
                      FumataNested((real)limit, FumataValue(times), l, FumataValue(loss)); */
  /*@ assert product: \forall real l; FumataOrdered(l, FumataValue(loss)) ==>
                      (real)limit * l <= FumataValue(times) * FumataValue(loss); */
  return fumata_round_sub_down(delta, lost);
}

/* The last inequality of Theorems M and C. `growth` bounds what one silence may multiply the moment by, `loss` what it
 * gives away outright. */
/*@
  requires claim:      \valid_read(claim) && FumataClaimOk(claim);
  requires limit:      1 <= limit <= FUMATA_SILENCES_MAX;
  requires growth:     FumataIsNumber(growth, 16777216) && 0 < FumataValue(growth);
  requires loss:       FumataIsNumber(loss, 134217728) && 0 < FumataValue(loss);

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures boolean:     \result == 0 || \result == 1;
  ensures total:       \result == 1 ==>
                       \forall real g, l;
                         FumataOrdered(g, FumataValue(growth)) ==> FumataOrdered(l, FumataValue(loss)) ==>
                         FumataTotal(claim->alpha, g, limit, FumataEpsilon(claim),
                                     FumataRest(FumataDelta(claim), limit, l));
*/
static int fumata_certify_total(const fumata_claim *claim, uint32_t limit, fumata_number growth, fumata_number loss) {
  fumata_number left = fumata_certify_left(claim, limit, loss);
  fumata_number exp, moment, budget;

  if (left.mantissa == 0) {
    return 0;
  }
  exp = fumata_certify_exp(claim->epsilon_num, claim->epsilon_den, claim->alpha);
  /*@ assert rest:    \forall real l; FumataOrdered(l, FumataValue(loss)) ==>
                      0 <= FumataValue(left) <= FumataRest(FumataDelta(claim), limit, l); */
  /*@ assert exp:     0 <= FumataValue(exp) <= FumataExpBelow((claim->alpha - 1) * FumataEpsilon(claim) / 65536); */
  /*@ assert nested:  \forall real l; FumataOrdered(l, FumataValue(loss)) ==>
                      FumataNested(FumataValue(left), FumataRest(FumataDelta(claim), limit, l), FumataValue(exp),
                                   FumataExpBelow((claim->alpha - 1) * FumataEpsilon(claim) / 65536)); */
  /*@ assert product: \forall real l; FumataOrdered(l, FumataValue(loss)) ==>
                      FumataValue(left) * FumataValue(exp) <=
                      FumataRest(FumataDelta(claim), limit, l) *
                      FumataExpBelow((claim->alpha - 1) * FumataEpsilon(claim) / 65536); */
  budget = fumata_round_mul_down(left, exp);
  moment = fumata_certify_moment(claim->alpha, limit, growth);
  /*@ assert chain:   FumataValue(moment) <= FumataValue(budget) ==>
                      \forall real g, l;
                      FumataOrdered(g, FumataValue(growth)) ==> FumataOrdered(l, FumataValue(loss)) ==>
                      FumataPeak(claim->alpha) * FumataPow(g, limit) <=
                      FumataRest(FumataDelta(claim), limit, l) *
                      FumataExpBelow((claim->alpha - 1) * FumataEpsilon(claim) / 65536); */
  return fumata_round_le(moment, budget);
}

/*@
  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures said:        \result.kind == kind && \result.index == index;
*/
static fumata_fault fumata_certify_fault(fumata_fault_kind kind, uint32_t index) {
  fumata_fault fault;

  fault.kind = kind;
  fault.index = index;
  return fault;
}

/*@
  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures clean:       \result == FUMATA_OK <==> kind == FUMATA_FAULT_NONE;
  ensures claim:       \result == FUMATA_ERR_CLAIM <==> kind == FUMATA_FAULT_CLAIM;
  ensures limit:       \result == FUMATA_ERR_LIMIT <==> kind == FUMATA_FAULT_LIMIT;
  ensures table:       \result == FUMATA_ERR_TABLE <==> kind == FUMATA_FAULT_TABLE;
  ensures causes:      \result == FUMATA_OK || \result == FUMATA_ERR_CLAIM || \result == FUMATA_ERR_LIMIT ||
                       \result == FUMATA_ERR_TABLE || \result == FUMATA_ERR_UNCERTIFIED;
*/
static fumata_status fumata_certify_status(fumata_fault_kind kind) {
  if (kind == FUMATA_FAULT_NONE) {
    return FUMATA_OK;
  }
  if (kind == FUMATA_FAULT_CLAIM) {
    return FUMATA_ERR_CLAIM;
  }
  if (kind == FUMATA_FAULT_LIMIT) {
    return FUMATA_ERR_LIMIT;
  }
  if (kind == FUMATA_FAULT_TABLE) {
    return FUMATA_ERR_TABLE;
  }
  return FUMATA_ERR_UNCERTIFIED;
}

/*@
  requires claim:      \valid_read(claim);

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures boolean:     \result == 0 || \result == 1;
  ensures claim:       \result == 1 <==> FumataClaimOk(claim);
*/
static int fumata_certify_claim(const fumata_claim *claim) {
  return claim->epsilon_num >= 1 && claim->epsilon_den >= 1 && claim->delta_num >= 1 &&
         claim->delta_num < claim->delta_den && claim->alpha >= 2 && claim->alpha <= FUMATA_ALPHA_MAX;
}

/* The first entry that is out of order, or the size. */
/*@
  requires readable:   \valid_read(silence + (0 .. size - 1));

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures range:       \result <= size;
  ensures ordered:     FumataSilenceTable(silence, \result);
  ensures first:       \result < size ==> FumataDisorder(silence, size, \result);
*/
static uint32_t fumata_certify_table(const uint64_t *silence, uint32_t size) {
  uint32_t i;

  /*@
    loop invariant range:    0 <= i <= size;
    loop invariant table:    FumataSilenceTable(silence, i);
    loop assigns             i;
    loop variant             size - i;
  */
  for (i = 0; i < size; i++) {
    if (silence[i] < 1 || (i > 0 && silence[i] > silence[i - 1])) {
      return i;
    }
  }
  return size;
}

/* The first distance from which a step fails, or the size. */
/*@
  requires readable:   1 <= size && \valid_read(silence + (0 .. size - 1));
  requires table:      FumataSilenceTable(silence, size);
  requires power:      2 <= alpha <= FUMATA_ALPHA_MAX;
  requires price:      4294967296 <= v;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures range:       1 <= \result <= size;
  ensures steps:       FumataSteps(silence, \result, alpha, FumataFixed(v));
*/
static uint32_t fumata_certify_steps(const uint64_t *silence, uint32_t size, uint32_t alpha, uint64_t v) {
  uint32_t i;

  /*@
    loop invariant range:    1 <= i <= size;
    loop invariant steps:    FumataSteps(silence, i, alpha, FumataFixed(v));
    loop assigns             i;
    loop variant             size - i;
  */
  for (i = 1; i < size; i++) {
    if (!fumata_certify_step(silence[i - 1], silence[i], alpha, v) ||
        !fumata_certify_step(silence[i], silence[i - 1], alpha, v)) {
      return i;
    }
  }
  return size;
}

/*@
  requires plan:       FumataMeterPlanOk(plan);
  requires claim:      \valid_read(claim) && FumataMeterClaimOk(claim);

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures boolean:     \result == 0 || \result == 1;
  ensures total:       \result == 1 ==>
                       FumataTotal(claim->alpha, FumataPrice(claim), plan->limit, FumataEpsilon(claim),
                                   FumataRest(FumataDelta(claim), plan->limit, 1 - FumataShare(plan->silence[0])));
*/
static int fumata_certify_meter_total(const fumata_meter_plan *plan, const fumata_claim *claim) {
  fumata_number price = fumata_round_fixed_up(claim->v);
  fumata_number loss = fumata_round_share_up(fumata_certify_speech(plan->silence[0]));

  /*@ ghost fumata_certify_price(claim->v); */
  /*@ ghost fumata_certify_shares(plan->silence[0], plan->silence[0]); */
  /*@ assert price: FumataOrdered(FumataPrice(claim), FumataValue(price)); */
  /*@ assert loss:  FumataOrdered(1 - FumataShare(plan->silence[0]), FumataValue(loss)); */
  return fumata_certify_total(claim, plan->limit, price, loss);
}

/*@
  requires plan:       FumataMeterPlanReadable(plan);
  requires claim:      \valid_read(claim);

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures kinds:       \result.kind == FUMATA_FAULT_NONE || \result.kind == FUMATA_FAULT_CLAIM ||
                       \result.kind == FUMATA_FAULT_LIMIT || \result.kind == FUMATA_FAULT_TABLE ||
                       \result.kind == FUMATA_FAULT_STEP || \result.kind == FUMATA_FAULT_FIRST ||
                       \result.kind == FUMATA_FAULT_TOTAL;
  ensures private:     \result.kind == FUMATA_FAULT_NONE ==> FumataMeterIsPrivate(plan, claim);
  ensures claim:       \result.kind == FUMATA_FAULT_CLAIM <==> !FumataMeterClaimOk(claim);
  ensures limit:       \result.kind == FUMATA_FAULT_LIMIT <==>
                       FumataMeterClaimOk(claim) && !(1 <= plan->limit <= FUMATA_SILENCES_MAX);
  ensures table:       \result.kind == FUMATA_FAULT_TABLE ==>
                       !(1 <= plan->size <= FUMATA_TABLE_MAX) || !FumataSilenceTable(plan->silence, plan->size);
  ensures well_formed: \result.kind != FUMATA_FAULT_CLAIM && \result.kind != FUMATA_FAULT_LIMIT &&
                       \result.kind != FUMATA_FAULT_TABLE ==> FumataMeterPlanOk(plan);
  ensures place:       \result.kind != FUMATA_FAULT_TABLE && \result.kind != FUMATA_FAULT_STEP ==> \result.index == 0;
  ensures step_place:  \result.kind == FUMATA_FAULT_STEP ==> 1 <= \result.index < plan->size;
  ensures size_place:  \result.kind == FUMATA_FAULT_TABLE && !(1 <= plan->size <= FUMATA_TABLE_MAX) ==>
                       \result.index == 0;
  ensures table_place: \result.kind == FUMATA_FAULT_TABLE && 1 <= plan->size <= FUMATA_TABLE_MAX ==>
                       FumataDisorder(plan->silence, plan->size, \result.index);
*/
static fumata_fault fumata_certify_meter_fault(const fumata_meter_plan *plan, const fumata_claim *claim) {
  uint32_t i;

  if (!fumata_certify_claim(claim) || claim->v < UINT64_C(4294967296)) {
    return fumata_certify_fault(FUMATA_FAULT_CLAIM, 0);
  }
  if (plan->limit < 1 || plan->limit > FUMATA_SILENCES_MAX) {
    return fumata_certify_fault(FUMATA_FAULT_LIMIT, 0);
  }
  if (plan->size < 1 || plan->size > FUMATA_TABLE_MAX) {
    return fumata_certify_fault(FUMATA_FAULT_TABLE, 0);
  }
  i = fumata_certify_table(plan->silence, plan->size);
  if (i < plan->size) {
    return fumata_certify_fault(FUMATA_FAULT_TABLE, i);
  }
  i = fumata_certify_steps(plan->silence, plan->size, claim->alpha, claim->v);
  if (i < plan->size) {
    return fumata_certify_fault(FUMATA_FAULT_STEP, i);
  }
  if (!fumata_certify_first(plan->silence[0], claim->alpha, claim->v)) {
    return fumata_certify_fault(FUMATA_FAULT_FIRST, 0);
  }
  if (!fumata_certify_meter_total(plan, claim)) {
    return fumata_certify_fault(FUMATA_FAULT_TOTAL, 0);
  }
  return fumata_certify_fault(FUMATA_FAULT_NONE, 0);
}

fumata_status fumata_certify_meter(const fumata_meter_plan *plan, const fumata_claim *claim, fumata_fault *fault) {
  fumata_fault found = fumata_certify_meter_fault(plan, claim);

  fault->kind = found.kind;
  fault->index = found.index;
  /*@ assert said:  fault->kind == found.kind && fault->index == found.index; */
  /*@ assert plan:  plan->size == \at(plan->size, Pre) && plan->limit == \at(plan->limit, Pre); */
  /*@ assert claim: claim->alpha == \at(claim->alpha, Pre) && claim->epsilon_num == \at(claim->epsilon_num, Pre) &&
                    claim->epsilon_den == \at(claim->epsilon_den, Pre) &&
                    claim->delta_num == \at(claim->delta_num, Pre) &&
                    claim->delta_den == \at(claim->delta_den, Pre); */
  /*@ assert steps: FumataMeterPlanOk{Pre}(plan) ==> \forall integer n, real v;
                    FumataSteps{Pre}(plan->silence, plan->size, n, v) ==>
                    FumataSteps(plan->silence, plan->size, n, v); */
  /*@ assert start: FumataMeterPlanOk{Pre}(plan) ==> plan->silence[0] == \at(plan->silence[0], Pre); */
  /*@ assert price: FumataPrice(claim) == \at(FumataPrice(claim), Pre); */
  /*@ assert bound: FumataEpsilon(claim) == \at(FumataEpsilon(claim), Pre) &&
                    FumataDelta(claim) == \at(FumataDelta(claim), Pre); */
  /*@ assert kept:  FumataMeterPlanOk{Pre}(plan) ==> FumataMeterIsPrivate{Pre}(plan, claim) ==>
                    FumataMeterIsPrivate(plan, claim); */
  return fumata_certify_status(found.kind);
}

/* The first place without a coin, or the size: the last place has one in any table that starts with one. */
/*@
  requires readable:   1 <= size <= FUMATA_NOISE_MAX && \valid_read(cdf + (0 .. size - 1));
  requires table:      FumataNeverFalls(cdf, size);

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures range:       \result <= size;
  ensures owned:       \forall integer j; 0 <= j < \result ==> 1 <= FumataCoins(cdf, size, j);
  ensures empty:       \result < size ==> FumataCoins(cdf, size, \result) < 1;
*/
static uint32_t fumata_certify_gap(const uint64_t *cdf, uint32_t size) {
  uint32_t i;

  if (cdf[0] == 0) {
    return 0;
  }
  /*@
    loop invariant range:    1 <= i <= size;
    loop invariant owned:    \forall integer j; 0 <= j < i ==> 1 <= FumataCoins(cdf, size, j);
    loop assigns             i;
    loop variant             size - i;
  */
  for (i = 1; i < size; i++) {
    if (cdf[i] <= cdf[i - 1]) {
      return i;
    }
  }
  return size;
}

/*@
  requires readable:   1 <= size <= FUMATA_NOISE_MAX && \valid_read(cdf + (0 .. size - 1));
  requires table:      FumataNeverFalls(cdf, size);
  requires some:       1 <= cdf[0] && j <= size;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures coins:       \result == FumataCoins(cdf, size, j);
*/
static uint64_t fumata_certify_coins(const uint64_t *cdf, uint32_t size, uint32_t j) {
  /*@ assert start: cdf[0] <= cdf[size - 1]; */
  if (j == 0) {
    return cdf[0];
  }
  if (j == size) {
    return fumata_certify_speech(cdf[size - 1]);
  }
  /*@ assert rises: cdf[j - 1] <= cdf[j]; */
  return cdf[j] - cdf[j - 1];
}

/*@
  requires numbers:    FumataIsNumber(x, 512) && FumataIsNumber(y, 512);

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures one_of:      \result == x || \result == y;
  ensures largest:     FumataValue(x) <= FumataValue(\result) && FumataValue(y) <= FumataValue(\result);
*/
static fumata_number fumata_certify_larger(fumata_number x, fumata_number y) {
  if (fumata_round_le(x, y)) {
    return y;
  }
  return x;
}

/* A bound of p(z) / p(z - 1) over the table, at least 1. */
/*@
  requires readable:   1 <= size <= FUMATA_NOISE_MAX && \valid_read(cdf + (0 .. size - 1));
  requires table:      FumataNeverFalls(cdf, size);
  requires owned:      \forall integer j; 0 <= j <= size ==> 1 <= FumataCoins(cdf, size, j);

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures above:       FumataAbove(\result, 1.0);
  ensures ratio:       FumataThresholdRatio(cdf, size, FumataValue(\result));
  ensures range:       FumataIsNumber(\result, 512);
*/
static fumata_number fumata_certify_threshold(const uint64_t *cdf, uint32_t size) {
  fumata_number largest = fumata_round_whole_up(1);
  fumata_number ratio, next;
  uint64_t before, coins;
  uint32_t j;

  /*@ assert one:   FumataRoundsUp(largest, 1.0); */
  /*@ assert start: FumataCoins(cdf, size, 0) == cdf[0]; */
  /*@
    loop invariant range:    1 <= j <= size + 1;
    loop invariant number:   FumataAbove(largest, 1.0) && FumataIsNumber(largest, 512);
    loop invariant ratios:   \forall integer k; 1 <= k < j ==>
                             FumataShare(FumataCoins(cdf, size, k)) <=
                             FumataValue(largest) * FumataShare(FumataCoins(cdf, size, k - 1));
    loop assigns             j, before, coins, ratio, next, largest;
    loop variant             size - j;
  */
  for (j = 1; j <= size; j++) {
    before = fumata_certify_coins(cdf, size, j - 1);
    coins = fumata_certify_coins(cdf, size, j);
    ratio = fumata_certify_ratio_up(coins, before);
    next = fumata_certify_larger(largest, ratio);
    /*@ assert old: \forall integer k; 1 <= k < j ==>
                    FumataNested(FumataValue(largest), FumataValue(next), FumataShare(FumataCoins(cdf, size, k - 1)),
                                 FumataShare(FumataCoins(cdf, size, k - 1))); */
    /*@ assert products: \forall integer k; 1 <= k < j ==>
                         FumataProducts(FumataValue(largest), FumataValue(next),
                                        FumataShare(FumataCoins(cdf, size, k - 1)),
                                        FumataShare(FumataCoins(cdf, size, k - 1)),
                                        FumataShare(FumataCoins(cdf, size, k)),
                                        FumataValue(next) * FumataShare(FumataCoins(cdf, size, k - 1))); */
    /*@ assert kept: \forall integer k; 1 <= k < j ==>
                     FumataShare(FumataCoins(cdf, size, k)) <=
                     FumataValue(next) * FumataShare(FumataCoins(cdf, size, k - 1)); */
    /*@ ghost fumata_certify_shares(before, before); */
    /*@ assert reach: FumataReaches(FumataShare(coins), FumataShare(before), FumataValue(next)); */
    /*@ assert new: FumataShare(coins) <= FumataValue(next) * FumataShare(before); */
    /*@ assert place: FumataThresholdPlace(cdf, size, j, FumataValue(next)); */
    /*@ assert past: \forall integer k; 1 <= k < j ==> FumataThresholdPlace(cdf, size, k, FumataValue(next)); */
    /*@ assert all:  \forall integer k; 1 <= k < j + 1 ==> FumataThresholdPlace(cdf, size, k, FumataValue(next)); */
    largest = next;
  }
  return largest;
}

/*@
  requires readable:   1 <= size <= FUMATA_NOISE_MAX && \valid_read(cdf + (0 .. size - 1));
  requires table:      FumataNeverFalls(cdf, size);
  requires some:       1 <= cdf[0] && 1 <= j <= size + 1;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures positive:    0 < FumataValue(\result);
  ensures ratio:       FumataShare(FumataReach(cdf, size, j)) <=
                       FumataValue(\result) * FumataShare(FumataReach(cdf, size, j - 2));
  ensures range:       FumataIsNumber(\result, 512);
*/
static fumata_number fumata_certify_reach(const uint64_t *cdf, uint32_t size, uint32_t j) {
  uint64_t before = cdf[j < 2 ? 0 : j - 2];
  fumata_number ratio;

  /*@ assert start:  cdf[0] <= before; */
  /*@ assert before: before == FumataReach(cdf, size, j - 2); */
  /*@ ghost fumata_certify_shares(before, before); */
  if (j < size) {
    /*@ assert some: cdf[0] <= cdf[j]; */
    ratio = fumata_certify_ratio_up(cdf[j], before);
    /*@ assert reach: FumataReaches(FumataShare(cdf[j]), FumataShare(before), FumataValue(ratio)); */
    return ratio;
  }
  ratio = fumata_certify_inverse(before);
  /*@ assert top:   FumataReach(cdf, size, j) == 18446744073709551616; */
  /*@ ghost fumata_certify_shares(0, 0); */
  /*@ assert whole: FumataShare(18446744073709551616) == 1.0; */
  /*@ assert reach: FumataReaches(1.0, FumataShare(before), FumataValue(ratio)); */
  return ratio;
}

/* A bound of F(t) / F(t - 2) over the table, at least 1. */
/*@
  requires readable:   1 <= size <= FUMATA_NOISE_MAX && \valid_read(cdf + (0 .. size - 1));
  requires table:      FumataNeverFalls(cdf, size);
  requires some:       1 <= cdf[0];

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures above:       FumataAbove(\result, 1.0);
  ensures ratio:       FumataQueryRatio(cdf, size, FumataValue(\result));
  ensures range:       FumataIsNumber(\result, 512);
*/
static fumata_number fumata_certify_query(const uint64_t *cdf, uint32_t size) {
  fumata_number largest = fumata_round_whole_up(1);
  fumata_number ratio, next;
  uint32_t j;

  /*@ assert one: FumataRoundsUp(largest, 1.0); */
  /*@
    loop invariant range:    1 <= j <= size + 2;
    loop invariant number:   FumataAbove(largest, 1.0) && FumataIsNumber(largest, 512);
    loop invariant ratios:   \forall integer k; 1 <= k < j ==>
                             FumataShare(FumataReach(cdf, size, k)) <=
                             FumataValue(largest) * FumataShare(FumataReach(cdf, size, k - 2));
    loop assigns             j, ratio, next, largest;
    loop variant             size + 1 - j;
  */
  for (j = 1; j <= size + 1; j++) {
    ratio = fumata_certify_reach(cdf, size, j);
    next = fumata_certify_larger(largest, ratio);
    /*@ assert positive: \forall integer k; 0 <= FumataShare(FumataReach(cdf, size, k)); */
    /*@ assert new: FumataNested(FumataValue(ratio), FumataValue(next), FumataShare(FumataReach(cdf, size, j - 2)),
                                 FumataShare(FumataReach(cdf, size, j - 2))); */
    /*@ assert old: \forall integer k; 1 <= k < j ==>
                    FumataNested(FumataValue(largest), FumataValue(next), FumataShare(FumataReach(cdf, size, k - 2)),
                                 FumataShare(FumataReach(cdf, size, k - 2))); */
    /*@ assert product: FumataProducts(FumataValue(ratio), FumataValue(next),
                                       FumataShare(FumataReach(cdf, size, j - 2)),
                                       FumataShare(FumataReach(cdf, size, j - 2)),
                                       FumataShare(FumataReach(cdf, size, j)),
                                       FumataValue(next) * FumataShare(FumataReach(cdf, size, j - 2))); */
    /*@ assert products: \forall integer k; 1 <= k < j ==>
                         FumataProducts(FumataValue(largest), FumataValue(next),
                                        FumataShare(FumataReach(cdf, size, k - 2)),
                                        FumataShare(FumataReach(cdf, size, k - 2)),
                                        FumataShare(FumataReach(cdf, size, k)),
                                        FumataValue(next) * FumataShare(FumataReach(cdf, size, k - 2))); */
    /*@ assert last: FumataShare(FumataReach(cdf, size, j)) <=
                     FumataValue(next) * FumataShare(FumataReach(cdf, size, j - 2)); */
    /*@ assert kept: \forall integer k; 1 <= k < j ==>
                     FumataShare(FumataReach(cdf, size, k)) <=
                     FumataValue(next) * FumataShare(FumataReach(cdf, size, k - 2)); */
    /*@ assert place: FumataQueryPlace(cdf, size, j, FumataValue(next)); */
    /*@ assert past: \forall integer k; 1 <= k < j ==> FumataQueryPlace(cdf, size, k, FumataValue(next)); */
    /*@ assert all:  \forall integer k; 1 <= k < j + 1 ==> FumataQueryPlace(cdf, size, k, FumataValue(next)); */
    largest = next;
  }
  return largest;
}

/* The coins that beat place t. */
/*@
  requires readable:   1 <= size <= FUMATA_NOISE_MAX && \valid_read(cdf + (0 .. size - 1));
  requires table:      FumataNeverFalls(cdf, size);
  requires some:       1 <= cdf[0];

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures beaten:      \result == 18446744073709551616 - FumataReach(cdf, size, t);
*/
static uint64_t fumata_certify_beats(const uint64_t *cdf, uint32_t size, int64_t t) {
  uint32_t place;

  if (t >= (int64_t)size) {
    return 0;
  }
  place = t < 0 ? 0 : (uint32_t)t;
  /*@ assert start: cdf[0] <= cdf[place]; */
  return fumata_certify_speech(cdf[place]);
}

/*@
  requires plan:       FumataClassicPlanOk(plan);
  requires threshold:  1 <= plan->threshold.cdf[0];
  requires query:      1 <= plan->query.cdf[0];

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures above:       FumataAbove(\result, FumataClassicLoss(plan));
  ensures positive:    0 <= FumataClassicLoss(plan);
  ensures range:       FumataIsNumber(\result, 134217728);
*/
static fumata_number fumata_certify_loss(const fumata_classic_plan *plan) {
  int64_t shift = plan->width + plan->threshold.first - plan->query.first;
  fumata_number loss = fumata_round_share_up(plan->threshold.cdf[0]);
  fumata_number chance, miss;
  uint64_t coins, beats;
  uint32_t j;

  /*@ ghost fumata_certify_shares(plan->threshold.cdf[0], plan->threshold.cdf[0]); */
  /*@
    loop invariant range:    0 <= j <= plan->threshold.size + 1;
    loop invariant number:   FumataIsNumber(loss, 256 + 64 * j);
    loop invariant above:    FumataAbove(loss, FumataShare(plan->threshold.cdf[0]) +
                               FumataMiss(plan->threshold.cdf, plan->threshold.size, plan->query.cdf, plan->query.size,
                                          shift, j));
    loop invariant positive: 0 <= FumataMiss(plan->threshold.cdf, plan->threshold.size, plan->query.cdf,
                                             plan->query.size, shift, j);
    loop assigns             j, coins, beats, chance, miss, loss;
    loop variant             plan->threshold.size - j;
  */
  for (j = 0; j <= plan->threshold.size; j++) {
    coins = fumata_certify_coins(plan->threshold.cdf, plan->threshold.size, j);
    beats = fumata_certify_beats(plan->query.cdf, plan->query.size, shift + (int64_t)j);
    /*@ assert next: FumataMiss(plan->threshold.cdf, plan->threshold.size, plan->query.cdf, plan->query.size,
                                shift, j + 1) ==
                     FumataMiss(plan->threshold.cdf, plan->threshold.size, plan->query.cdf, plan->query.size,
                                shift, j) +
                     FumataShare(coins) * FumataShare(beats); */
    /*@ ghost fumata_certify_sign(coins); */
    /*@ ghost fumata_certify_sign(beats); */
    /*@ assert plus: FumataPositive(FumataShare(coins), FumataShare(beats)); */
    /*@ assert gain: 0 <= FumataShare(coins) * FumataShare(beats); */
    /*@ assert coinless: coins == 0 ==> FumataMoves(0.0, 1.0, FumataShare(beats), FumataShare(coins),
                           FumataShare(beats), FumataShare(coins) * FumataShare(beats), 0.0); */
    /*@ assert unbeaten: beats == 0 ==> FumataMoves(0.0, 1.0, FumataShare(coins), FumataShare(beats),
                           FumataShare(coins), FumataShare(coins) * FumataShare(beats), 0.0); */
    /*@ assert zero: coins == 0 || beats == 0 ==> FumataShare(coins) * FumataShare(beats) == 0.0; */
    if (coins > 0 && beats > 0) {
      chance = fumata_round_share_up(coins);
      miss = fumata_round_share_up(beats);
      /*@ assert term: FumataNested(FumataShare(coins), FumataValue(chance), FumataShare(beats), FumataValue(miss)); */
      /*@ assert product: FumataProducts(FumataShare(coins), FumataValue(chance), FumataShare(beats),
                                         FumataValue(miss), FumataShare(coins) * FumataShare(beats),
                                         FumataValue(chance) * FumataValue(miss)); */
      /*@ assert most: FumataShare(coins) * FumataShare(beats) <= FumataValue(chance) * FumataValue(miss); */
      loss = fumata_round_add_up(loss, fumata_round_mul_up(chance, miss));
    }
    /*@ assert above: FumataAbove(loss, FumataShare(plan->threshold.cdf[0]) +
                        FumataMiss(plan->threshold.cdf, plan->threshold.size, plan->query.cdf, plan->query.size,
                                   shift, j + 1)); */
  }
  return loss;
}

/*@
  requires number:     FumataIsNumber(x, 1500) && FumataAbove(x, 1.0);
  requires power:      2 <= alpha <= FUMATA_ALPHA_MAX;

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures above:       FumataAbove(\result, FumataResponse(FumataValue(x), alpha));
  ensures positive:    0 <= FumataResponse(FumataValue(x), alpha);
  ensures range:       FumataIsNumber(\result, 16777216);
*/
static fumata_number fumata_certify_response(fumata_number x, uint32_t alpha) {
  fumata_number one = fumata_round_whole_up(1);
  fumata_number inverse = fumata_round_div_up(one, x);
  fumata_number high = fumata_round_pow_up(x, alpha);
  fumata_number low = fumata_round_pow_up(inverse, alpha - 1);
  fumata_number top = fumata_round_add_up(high, low);
  fumata_number bottom = fumata_round_add_down(fumata_round_whole_down(1), x);

  /*@ ghost fumata_certify_pow_grows(alpha - 1); */
  /*@ ghost fumata_certify_pow_grows(alpha); */
  /*@ assert one:      FumataRoundsUp(one, 1.0); */
  /*@ assert inverse:  FumataFraction(1.0, FumataValue(x), FumataValue(one), FumataValue(x)); */
  /*@ assert ratios:   FumataRatios(1.0, FumataValue(x), FumataValue(one), FumataValue(x),
                         1 / FumataValue(x), FumataValue(one) / FumataValue(x)); */
  /*@ assert part:     FumataPart(1.0, FumataValue(x), 1 / FumataValue(x)); */
  /*@ assert ordered:  FumataOrdered(1 / FumataValue(x), FumataValue(inverse)); */
  /*@ assert same:     FumataOrdered(FumataValue(x), FumataValue(x)); */
  /*@ assert sum:      FumataPow(FumataValue(x), alpha) + FumataPow(1 / FumataValue(x), alpha - 1) <=
                       FumataValue(top); */
  /*@ assert fraction: FumataFraction(FumataPow(FumataValue(x), alpha) + FumataPow(1 / FumataValue(x), alpha - 1),
                         1 + FumataValue(x), FumataValue(top), FumataValue(bottom)); */
  /*@ assert moments:  FumataRatios(FumataPow(FumataValue(x), alpha) + FumataPow(1 / FumataValue(x), alpha - 1),
                         1 + FumataValue(x), FumataValue(top), FumataValue(bottom),
                         FumataResponse(FumataValue(x), alpha), FumataValue(top) / FumataValue(bottom)); */
  /*@ assert positive: FumataUnder(0.0, 1 + FumataValue(x),
                         FumataPow(FumataValue(x), alpha) + FumataPow(1 / FumataValue(x), alpha - 1)); */
  /*@ assert moment:   FumataPart(FumataPow(FumataValue(x), alpha) + FumataPow(1 / FumataValue(x), alpha - 1),
                         1 + FumataValue(x), FumataResponse(FumataValue(x), alpha)); */
  return fumata_round_div_up(top, bottom);
}

/*@
  requires plan:       FumataClassicPlanOk(plan);
  requires claim:      \valid_read(claim) && FumataClaimOk(claim);
  requires threshold:  \forall integer j; 0 <= j <= plan->threshold.size ==>
                       1 <= FumataCoins(plan->threshold.cdf, plan->threshold.size, j);
  requires query:      1 <= plan->query.cdf[0];

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures boolean:     \result == 0 || \result == 1;
  ensures private:     \result == 1 ==> FumataClassicIsPrivate(plan, claim);
*/
static int fumata_certify_classic_total(const fumata_classic_plan *plan, const fumata_claim *claim) {
  fumata_number x = fumata_certify_threshold(plan->threshold.cdf, plan->threshold.size);
  fumata_number y = fumata_certify_query(plan->query.cdf, plan->query.size);
  fumata_number z = fumata_round_mul_up(x, y);
  fumata_number growth, loss;
  int keeps;

  /*@ assert nested: FumataNested(1.0, FumataValue(x), 1.0, FumataValue(y)); */
  /*@ assert ratios: FumataClassicRatios(plan, FumataValue(x), FumataValue(y), FumataValue(z)); */
  growth = fumata_certify_response(z, claim->alpha);
  /*@ assert growth: FumataOrdered(FumataResponse(FumataValue(z), claim->alpha), FumataValue(growth)); */
  /*@ assert start: FumataCoins(plan->threshold.cdf, plan->threshold.size, 0) == plan->threshold.cdf[0]; */
  loss = fumata_certify_loss(plan);
  /*@ assert loss: FumataOrdered(FumataClassicLoss(plan), FumataValue(loss)); */
  keeps = fumata_certify_total(claim, plan->limit, growth, loss);
  /*@ assert keeps: keeps == 1 ==> FumataClassicKeeps(plan, claim, FumataValue(x), FumataValue(y), FumataValue(z)); */
  return keeps;
}

/*@
  requires plan:       FumataClassicPlanReadable(plan);
  requires claim:      \valid_read(claim);

  terminates           \true;
  exits                \false;
  assigns              \nothing;
  ensures kinds:       \result.kind == FUMATA_FAULT_NONE || \result.kind == FUMATA_FAULT_CLAIM ||
                       \result.kind == FUMATA_FAULT_LIMIT || \result.kind == FUMATA_FAULT_TABLE ||
                       \result.kind == FUMATA_FAULT_RATIO || \result.kind == FUMATA_FAULT_TOTAL;
  ensures private:     \result.kind == FUMATA_FAULT_NONE ==> FumataClassicIsPrivate(plan, claim);
  ensures claim:       \result.kind == FUMATA_FAULT_CLAIM <==> !FumataClaimOk(claim);
  ensures limit:       \result.kind == FUMATA_FAULT_LIMIT <==>
                       FumataClaimOk(claim) && !(1 <= plan->limit <= FUMATA_SILENCES_MAX);
  ensures table:       \result.kind == FUMATA_FAULT_TABLE ==> !FumataClassicPlanOk(plan);
  ensures well_formed: \result.kind != FUMATA_FAULT_CLAIM && \result.kind != FUMATA_FAULT_LIMIT &&
                       \result.kind != FUMATA_FAULT_TABLE ==> FumataClassicPlanOk(plan);
  ensures place:       \result.kind != FUMATA_FAULT_TABLE && \result.kind != FUMATA_FAULT_RATIO ==> \result.index == 0;
  ensures table_place: \result.kind == FUMATA_FAULT_TABLE ==> FumataWrongTable(plan, \result.index);
  ensures ratio_place: \result.kind == FUMATA_FAULT_RATIO ==> FumataWrongRatio(plan, \result.index);
*/
static fumata_fault fumata_certify_classic_fault(const fumata_classic_plan *plan, const fumata_claim *claim) {
  uint32_t gap;

  if (!fumata_certify_claim(claim)) {
    return fumata_certify_fault(FUMATA_FAULT_CLAIM, 0);
  }
  if (plan->limit < 1 || plan->limit > FUMATA_SILENCES_MAX) {
    return fumata_certify_fault(FUMATA_FAULT_LIMIT, 0);
  }
  if (fumata_noise_check(&plan->threshold) != FUMATA_OK) {
    return fumata_certify_fault(FUMATA_FAULT_TABLE, 0);
  }
  if (fumata_noise_check(&plan->query) != FUMATA_OK) {
    return fumata_certify_fault(FUMATA_FAULT_TABLE, 1);
  }
  if (plan->width < -FUMATA_NOISE_RANGE || plan->width > FUMATA_NOISE_RANGE) {
    return fumata_certify_fault(FUMATA_FAULT_TABLE, 2);
  }
  gap = fumata_certify_gap(plan->threshold.cdf, plan->threshold.size);
  if (gap < plan->threshold.size) {
    return fumata_certify_fault(FUMATA_FAULT_RATIO, gap);
  }
  if (plan->query.cdf[0] == 0) {
    return fumata_certify_fault(FUMATA_FAULT_RATIO, plan->threshold.size);
  }
  if (!fumata_certify_classic_total(plan, claim)) {
    return fumata_certify_fault(FUMATA_FAULT_TOTAL, 0);
  }
  return fumata_certify_fault(FUMATA_FAULT_NONE, 0);
}

fumata_status fumata_certify_classic(const fumata_classic_plan *plan, const fumata_claim *claim, fumata_fault *fault) {
  fumata_fault found = fumata_certify_classic_fault(plan, claim);

  fault->kind = found.kind;
  fault->index = found.index;
  /*@ assert said:  fault->kind == found.kind && fault->index == found.index; */
  /*@ assert plan:  plan->threshold.size == \at(plan->threshold.size, Pre) && plan->limit == \at(plan->limit, Pre) &&
                    plan->query.size == \at(plan->query.size, Pre); */
  /*@ assert claim: claim->alpha == \at(claim->alpha, Pre) && claim->epsilon_num == \at(claim->epsilon_num, Pre) &&
                    claim->epsilon_den == \at(claim->epsilon_den, Pre); */
  /*@ assert loss:  FumataClassicLoss(plan) == \at(FumataClassicLoss(plan), Pre); */
  /*@ assert bound: FumataEpsilon(claim) == \at(FumataEpsilon(claim), Pre) &&
                    FumataDelta(claim) == \at(FumataDelta(claim), Pre); */
  /*@ assert ratios: \forall real x, y, z; FumataClassicRatios{Pre}(plan, x, y, z) ==>
                     FumataClassicRatios(plan, x, y, z); */
  /*@ assert kept:  \forall real x, y, z; FumataClassicKeeps{Pre}(plan, claim, x, y, z) ==>
                    FumataClassicKeeps(plan, claim, x, y, z); */
  return fumata_certify_status(found.kind);
}
