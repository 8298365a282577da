/* For the auditor: how columns were read, the numbers of the certificate, digests, and what is proved, tested or assumed. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/html.h"
#include "report/page.h"

#define PAGE_AUDIT_COLUMNS 200 /* columns in the table */
#define PAGE_AUDIT_NAMES   8   /* categories by name */

/* ---- columns ---- */

static void page_audit_column(const struct column *column, FILE *out) {
  const uint32_t count = column->categories.count;
  html_print(out, "<tr><td data-name='column'>%s</td><td data-name='read as'>", column->name);
  if (column->kind == COLUMN_CATEGORY) {
    fprintf(out, "category</td><td data-name='public values'>%" PRIu32 " categories: ", count);
    for (uint32_t i = 0; i < count && i < PAGE_AUDIT_NAMES; i++)
      html_print(out, i ? ", %s" : "%s", nameset_text(&column->categories, i));
    if (count > PAGE_AUDIT_NAMES) fputs(", …", out);
  } else if (column->kind == COLUMN_DATE) {
    char low[DATE_TEXT], high[DATE_TEXT];
    fprintf(out, "date</td><td>%s to %s", date_print(column->low, low), date_print(column->high, high));
  } else if (column_is_numeric(column))
    fprintf(out, "%s</td><td data-name='public range'>%g to %g",
            column->kind == COLUMN_LOG ? "number, by its logarithm" : "number", column->low, column->high);
  else
    fputs("not used</td><td>", out);
  fprintf(out, "</td>" HTML_CELL("features", "%" PRIu32) "</tr>\n", column_width(column));
}

static void page_audit_columns(const struct findings *findings, FILE *out) {
  const struct encoding *encoding = &findings->model.encoding;
  fputs(HTML_SECTION("columns", "How the data was read"), out);
  fprintf(out, "<p>%s, %" PRIu32 " numbers a record, of which the learners get %" PRIu32 " features. ",
          encoding->format->name, encoding->raw_columns, encoding->columns);
  fputs("Ranges, categories and projections were learned from public data only.", out);
  if (encoding->label) html_print(out, " Label column: &quot;%s&quot;.", encoding->label);
  if (encoding->unit) html_print(out, " Unit column: &quot;%s&quot;.", encoding->unit);
  fputs("</p>\n", out);
  if (encoding->column_count) {
    fputs("<table class='stack'><thead><tr><th>column</th><th>read as</th><th>public range or categories</th>"
          "<th class='n'>features</th></tr></thead>\n",
          out);
    for (size_t i = 0; i < encoding->column_count && i < PAGE_AUDIT_COLUMNS; i++)
      page_audit_column(encoding->column + i, out);
    fputs("</table>\n", out);
  }
  if (encoding->column_count > PAGE_AUDIT_COLUMNS)
    fprintf(out, "<p class='soft'>The first %d of %zu columns.</p>\n", PAGE_AUDIT_COLUMNS, encoding->column_count);
  fputs("</section>\n", out);
}

/* ---- the certificate ---- */

static void page_audit_digest(FILE *out, const char *name, const uint8_t digest[DIGEST_SIZE]) {
  char text[DIGEST_TEXT];
  digest_print(digest, text);
  html_print(out, HTML_ROW("<code>%s</code>"), name, text);
}

static void page_audit_tables(const struct plan_box *plan, FILE *out) {
  if (plan->mechanism == PLAN_MECHANISM_CLASSIC) {
    html_print(out, HTML_ROW("%" PRId64), "width", plan->classic.width);
    html_print(out, HTML_ROW("%" PRIu32 " and %" PRIu32 " outcomes"), "tables", plan->classic.threshold.size,
               plan->classic.query.size);
    return;
  }
  if (plan->mechanism != PLAN_MECHANISM_TOLL && plan->mechanism != PLAN_MECHANISM_POLL) {
    html_print(out, HTML_ROW("%.9f"), "V, the price of a silence", ldexp((double)plan->claim.v, -32));
    html_print(out, HTML_ROW("%" PRIu32 " distances"), "table of silence", plan->meter.size);
    html_print(out, HTML_ROW("1 - %.3g"), "silence at distance 1", 1 - plan_silence(plan, 1));
    html_print(out, HTML_ROW("%.3g"), "silence at the last distance", plan_silence(plan, plan->meter.size));
  }
  if (plan->mechanism == PLAN_MECHANISM_METER) return;
  html_print(out, HTML_ROW("%.9f"), plan_votes(plan) ? "U, the price of a vote" : "U, the price of an answer",
             ldexp((double)plan->claim.u, -32));
  html_print(out, HTML_ROW("%" PRIu32 " %s"), "table of answers", plan->toll.size,
             plan_votes(plan) ? "leads" : "distances");
}

static void page_audit_summary(const struct findings *findings, FILE *out, const char *name, const char *key) {
  const char *text = summary_text(&findings->summary, key);
  if (text) html_print(out, HTML_ROW("%s"), name, text);
}

static void page_audit_certificate(const struct findings *findings, FILE *out) {
  const fumata_claim *claim = &findings->plan.claim;
  char limit[PLAN_QUOTA_TEXT];
  struct plan_terms terms;
  plan_terms(&findings->plan, &terms);
  fputs(HTML_SECTION("certificate", "The certificate"), out);
  fprintf(out, "<p>%s</p>\n<table class='facts'>\n",
          findings->is_certified
              ? "The proved core checked the plan again when this page was made: <b class='good'>it keeps "
                "its claim</b>."
              : "<b class='bad'>The proved core refuses this plan.</b>");
  html_print(out, HTML_ROW("%s"), "mechanism", plan_mechanism_name(findings->plan.mechanism));
  html_print(out, HTML_ROW("%" PRIu64 "/%" PRIu64 ", %" PRIu64 "/%" PRIu64), "epsilon, delta",
             (uint64_t)claim->epsilon_num, (uint64_t)claim->epsilon_den, claim->delta_num, claim->delta_den);
  html_print(out, HTML_ROW("%" PRIu32), "order alpha", claim->alpha);
  html_print(out, HTML_ROW("%s"), "pays for", plan_limit_print(&findings->plan, limit));
  page_audit_tables(&findings->plan, out);
  page_audit_digest(out, "digest of the plan", terms.digest);
  fputs("</table>\n<h3>The run</h3><table class='facts'>\n", out);
  page_audit_summary(findings, out, "version", "version");
  page_audit_summary(findings, out, "command", "command");
  page_audit_summary(findings, out, "learner of the teachers", "learner");
  page_audit_summary(findings, out, "learner of the student", "student");
  page_audit_summary(findings, out, "ledger", "ledger");
  page_audit_summary(findings, out, "ledger's head after the run", "ledger_head");
  for (int i = 0; i < FINDINGS_FILES; i++)
    page_audit_digest(out, findings_files[i], findings->digest[i]);
  fputs("</table></section>\n", out);
}

/* ---- words ---- */

static const struct {
  const char *word, *what;
} page_audit_words[] = {
    {"PROVED",
     "At most T silences, L answers and B votes of a unit over any history of calls, crashes and resumptions"},
    {"PROVED",
     "Silent at distance 0, silent exactly when the coin is below the table's entry; a label is the winner of the "
     "vote"},
    {"PROVED",
     "Winner and distance are right; adding, removing or changing one vote changes the distance by at most 1"},
    {"PROVED", "The core accepts a plan if and only if an integer predicate holds for its tables"},
    {"PROVED", "That predicate implies (ε, δ)-differential privacy of everything that is answered, over several runs"},
    {"PROVED", "Releases on one data set, one after the other, add up to the ledger's total"},
    {"PROVED", "No run-time error and no overflow in the core; an error changes nothing"},
    {"TESTED", "The program around the core: files, learners, ledger, crash safety, this page"},
    {"TESTED", "The two provers' definitions mean the same"},
    {"ASSUMED",
     "Coins of the operating system are uniform; the disk keeps what it acknowledged; compilers and provers are right"},
    {"ASSUMED", "The public records are public, and the operator gave the right column for units"}};

void page_audit_trust(FILE *out) {
  fputs(HTML_SECTION("trust", "What is proved, tested and assumed"), out);
  fputs("<table class='words'>\n", out);
  for (size_t i = 0; i < sizeof page_audit_words / sizeof *page_audit_words; i++) {
    const char *word = page_audit_words[i].word;
    fprintf(out, "<tr><td class='%s'>%s</td><td>%s</td></tr>\n",
            !strcmp(word, "PROVED")   ? "good"
            : !strcmp(word, "TESTED") ? ""
                                      : "warn",
            word, page_audit_words[i].what);
  }
  fputs(
      "</table>\n<p class='soft'>PROVED: by machine-checked proof (Frama-C WP, Coq). TESTED: tests tried to refute it "
      "and failed. ASSUMED: not checked; specs/TRUST.md of Fumata lists all assumptions.</p></section>\n",
      out);
}

void page_audit(const struct findings *findings, FILE *out) {
  page_audit_columns(findings, out);
  page_audit_certificate(findings, out);
}
