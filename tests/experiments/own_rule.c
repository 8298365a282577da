/* The program with a rule of the poll other than its own, for the experiment `trades`: FUMATA_RULE="K L B" says how many times the
 * usual number of voters, questions and votes. B follows K and L as the rule has it, and then its factor. */
#include "learn/polling.h"

#define polling_rule_make own_rule_usual
#include "learn/polling_rule.c" /* NOLINT */
#undef polling_rule_make

#include <stdio.h>
#include <stdlib.h>

#include "command/main.c" /* NOLINT */

void polling_rule_make(struct polling_rule *rule, const struct polling_facts *facts) {
  double voters, questions, votes, usual;
  const char *said = getenv("FUMATA_RULE");
  own_rule_usual(rule, facts);
  if (!said || sscanf(said, "%lf %lf %lf", &voters, &questions, &votes) != 3) {
    fputs("own_rule: FUMATA_RULE is three factors, of K, L and B\n", stderr);
    exit(2);
  }
  usual = (double)rule->votes;
  rule->voters = (uint32_t)(voters * rule->voters);
  rule->rank *= voters;
  rule->questions = (uint32_t)(questions * rule->questions);
  rule->first = (uint32_t)(questions * rule->first);
  rule->votes = (uint32_t)(usual * voters * questions * votes + 0.999);
}
