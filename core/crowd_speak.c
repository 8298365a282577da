#include "crowd.h"

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

/* No unit's records end behind the last: by induction over the units. */
/*@ ghost
  /@ requires units:      \valid_read(first + (0 .. units)) && FumataFirstsOk(first, units);
     terminates \true; exits \false;
     assigns              \nothing;
     ensures ends:        \forall integer u; 0 <= u <= units ==> first[u] <= first[units]; @/
  void fumata_crowd_lemma_ends(const uint32_t *first, uint32_t units) {
    /@ loop invariant range: 0 <= t <= units;
       loop invariant ends:  \forall integer u; 0 <= u <= t ==> first[u] <= first[t];
       loop assigns          t;
       loop variant          units - t; @/
    for (uint32_t t = 0; t != units; t++) {
      /@ assert next: first[t] <= first[t + 1]; @/
    }
  } */

/* Whether a is less than b: the top bit of a sum, because what a comparison gives is a branch to some compilers. */
/*@ terminates \true; exits \false;
    assigns              \nothing;
    ensures less:        \result == (a < b ? 1 : 0); */
static uint32_t fumata_crowd_less(uint32_t a, uint32_t b) {
  return (uint32_t)((UINT64_C(4294967295) + b - a) / UINT64_C(4294967296));
}

/* One of two numbers, without a branch. */
/*@ requires flag:       flag == 0 || flag == 1;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures chosen:      \result == (flag == 1 ? a : b); */
static uint32_t fumata_crowd_choose(uint32_t flag, uint32_t a, uint32_t b) {
  return flag * a + (1u - flag) * b;
}

/* What the record says that speaks for a unit. */
typedef struct {
  uint32_t distance;
  uint32_t label;
} fumata_speaker;

/* The record that speaks, of some: the one with the smaller distance, at each. */
/*@ requires range:      from <= to;
    requires readable:   \valid_read(distances + (from .. to - 1)) && \valid_read(labels + (from .. to - 1));
    terminates \true; exits \false;
    assigns              \nothing;
    ensures speaks:      FumataSpeaks(distances, labels, from, to, \result.distance, \result.label);
    ensures label:       \result.label <= 65535; */
static fumata_speaker fumata_crowd_nearest(const uint32_t *distances, const uint16_t *labels, uint32_t from,
                                           uint32_t to) {
  fumata_speaker speaker;
  uint32_t least = UINT32_MAX;
  uint32_t label = 65535u;
  uint32_t i;
  /*@ ghost uint32_t who = from; */

  /*@ loop invariant range: from <= i <= to;
      loop invariant none:  i == from ==> least == 4294967295 && label == 65535;
      loop invariant some:  i > from ==> FumataIsNearest(distances, from, i, who) && least == distances[who] &&
                            label == labels[who];
      loop invariant label: label <= 65535;
      loop assigns          i, least, label, who;
      loop variant          to - i; */
  for (i = from; i < to; i++) {
    uint32_t nearer = i == from ? 1u : fumata_crowd_less(distances[i], least);
    /*@ assert nearer: distances[i] < least || i == from ? nearer == 1 : nearer == 0; */
    /*@ ghost
      if (nearer == 1) {
        who = i;
      } */
    label = fumata_crowd_choose(nearer, labels[i], label);
    least = fumata_crowd_choose(nearer, distances[i], least);
  }
  speaker.distance = least;
  speaker.label = label;
  /*@ assert some: from < to ==> FumataIsNearest(distances, from, to, who) && least == distances[who] && label == labels[who]; */
  return speaker;
}

/* What a unit says is written, and nothing that is read. */
/*@ requires unit:       u < units <= FUMATA_UNITS_MAX && \valid_read(first + (0 .. units));
    requires writable:   \valid(nearest + (0 .. units - 1)) && \valid(spoken + (0 .. units - 1));
    requires apart:      FumataSpeakApart(first, units, distances, labels, nearest, spoken);
    requires label:      speaker.label <= 65535;
    terminates \true; exits \false;
    assigns              nearest[u], spoken[u];
    ensures said:        nearest[u] == speaker.distance && spoken[u] == speaker.label;
    ensures others:      \forall integer v; 0 <= v < units && v != u ==>
                         nearest[v] == \old(nearest[v]) && spoken[v] == \old(spoken[v]);
    ensures first:       \forall integer v; 0 <= v <= units ==> first[v] == \old(first[v]);
    ensures distances:   \forall integer i; 0 <= i < \old(first[units]) ==> distances[i] == \old(distances[i]);
    ensures labels:      \forall integer i; 0 <= i < \old(first[units]) ==> labels[i] == \old(labels[i]);
    ensures apart:       FumataSpeakApart(first, units, distances, labels, nearest, spoken); */
static void fumata_crowd_say(const uint32_t *first, uint32_t units, const uint32_t *distances, const uint16_t *labels,
                             uint32_t *nearest, uint16_t *spoken, uint32_t u, fumata_speaker speaker) {
  (void)first; /* for the proof only, as are the other three */
  (void)units;
  (void)distances;
  (void)labels;
  nearest[u] = speaker.distance;
  spoken[u] = (uint16_t)speaker.label;
  /*@ assert end: first[units] == \at(first[units], Pre); */
}

fumata_status fumata_crowd_speak(const uint32_t *first, uint32_t units, const uint32_t *distances,
                                 const uint16_t *labels, uint32_t *nearest, uint16_t *spoken) {
  uint32_t u;

  if (!fumata_crowd_firsts(first, units)) {
    return FUMATA_ERR_LIST;
  }
  /*@ ghost fumata_crowd_lemma_ends(first, units); */
  /*@ loop invariant range:     0 <= u <= units;
      loop invariant first:     \forall integer v; 0 <= v <= units ==> first[v] == \at(first[v], Pre);
      loop invariant distances: \forall integer i; 0 <= i < \at(first[units], Pre) ==> distances[i] == \at(distances[i], Pre);
      loop invariant labels:    \forall integer i; 0 <= i < \at(first[units], Pre) ==> labels[i] == \at(labels[i], Pre);
      loop invariant apart:     FumataSpeakApart(first, units, distances, labels, nearest, spoken);
      loop invariant nearest:   \forall integer v; 0 <= v < u ==>
                                FumataSpeaks{Pre}(distances, labels, \at(first[v], Pre), \at(first[v + 1], Pre),
                                                  nearest[v], spoken[v]);
      loop assigns              u, nearest[0 .. units - 1], spoken[0 .. units - 1];
      loop variant              units - u; */
  for (u = 0u; u < units; u++) {
    uint32_t from = first[u];
    uint32_t to = first[u + 1u];
    fumata_speaker speaker;
    /*@ assert range: from == \at(first[\at(u, Here)], Pre) && to == \at(first[\at(u, Here) + 1], Pre); */
    /*@ assert order: from <= to <= \at(first[units], Pre); */
    speaker = fumata_crowd_nearest(distances, labels, from, to);
    /*@ assert near:  \forall integer i; FumataIsNearest(distances, from, to, i) ==>
                        FumataIsNearest{Pre}(distances, from, to, i); */
    /*@ assert same:  \forall integer i; from <= i < to ==>
                        distances[i] == \at(distances[i], Pre) && labels[i] == \at(labels[i], Pre); */
    /*@ assert says:  FumataSpeaks{Pre}(distances, labels, from, to, speaker.distance, speaker.label); */
    fumata_crowd_say(first, units, distances, labels, nearest, spoken, u, speaker);
    /*@ assert now:   FumataSpeaks{Pre}(distances, labels, \at(first[\at(u, Here)], Pre), \at(first[\at(u, Here) + 1], Pre),
                                        nearest[u], spoken[u]); */
    /*@ assert past:  \forall integer v; 0 <= v < u ==>
                        FumataSpeaks{Pre}(distances, labels, \at(first[v], Pre), \at(first[v + 1], Pre), nearest[v], spoken[v]); */
  }
  /*@ assert same:   \forall integer from, to, i; 0 <= from && to <= \at(first[units], Pre) &&
                       FumataIsNearest{Pre}(distances, from, to, i) ==> FumataIsNearest(distances, from, to, i); */
  /*@ assert values: \forall integer from, to, i; 0 <= from && to <= \at(first[units], Pre) &&
                       FumataIsNearest{Pre}(distances, from, to, i) ==>
                       distances[i] == \at(distances[i], Pre) && labels[i] == \at(labels[i], Pre); */
  /*@ assert spoken: \forall integer from, to, near, label; 0 <= from && to <= \at(first[units], Pre) &&
                       FumataSpeaks{Pre}(distances, labels, from, to, near, label) ==>
                       FumataSpeaks(distances, labels, from, to, near, label); */
  /*@ assert ends:   \forall integer v; 0 <= v < units ==> 0 <= first[v] && first[v + 1] <= \at(first[units], Pre); */
  return FUMATA_OK;
}
