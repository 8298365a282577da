#include "learn/heard.h"

#include <math.h>

#define HEARD_MISFIT 0.1  /* deviation of the neighbours' share from the best that a student can say of the point */
#define HEARD_LEAST  0.01 /* every answer is at least this likely */

struct heard heard_make(double share, double voters, double noise) {
  double most = share > 0.5 ? share : 1 - share, rise = voters / most, misfit = HEARD_MISFIT * rise;
  double variance = noise * noise + voters * share * (1 - share) / (most * most) + misfit * misfit;
  return (struct heard){(float)share, (float)(rise / sqrt(variance))};
}

double heard_loss(const struct heard *heard, int yes, double score, double *slope, double *bend) {
  const double sharp = (double)heard->sharp, kept = 1 - 2 * HEARD_LEAST;
  double p = 1 / (1 + exp(-score)), x = sharp * (p - (double)heard->share);
  double answer = HEARD_LEAST + kept * erfc((yes ? -x : x) * M_SQRT1_2) / 2;
  double rise = kept * exp(-x * x / 2) * (M_2_SQRTPI * M_SQRT1_2 / 2) * sharp * p * (1 - p);
  *slope = (yes ? -rise : rise) / answer;
  *bend = rise * rise / (answer * (1 - answer));
  return -log(answer);
}
