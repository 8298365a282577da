/* For the auditor: how columns were read, the numbers of the certificate, digests, and which word stands behind what. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "command/report_html.h"
#include "command/report_page.h"

#define REPORT_AUDIT_COLUMNS 200 /* that are listed */
#define REPORT_AUDIT_NAMES   8   /* categories that are named */

/* ---- columns ---- */

static void report_audit_categories(const struct column *column, FILE *out) {
  const uint32_t count = column->categories.count;
  fprintf(out, "%" PRIu32 " categories: ", count);
  for (uint32_t i = 0; i < count && i < REPORT_AUDIT_NAMES; i++) {
    if (i) fputs(", ", out);
    report_html_text(out, nameset_text(&column->categories, i));
  }
  if (count > REPORT_AUDIT_NAMES) fputs(", …", out);
}

static void report_audit_column(const struct column *column, FILE *out) {
  fputs("<tr><td>", out);
  report_html_text(out, column->name);
  fputs("</td><td>", out);
  if (column->kind == COLUMN_CATEGORY) {
    fputs("category</td><td>", out);
    report_audit_categories(column, out);
  } else if (column_is_numeric(column))
    fprintf(out, "%s</td><td>%g to %g", column->kind == COLUMN_LOG ? "number, by its logarithm" : "number", column->low,
            column->high);
  else
    fputs("left out</td><td>", out);
  fprintf(out, "</td><td class='n'>%" PRIu32 "</td></tr>\n", column_width(column));
}

static void report_audit_columns(const struct report *report, FILE *out) {
  const struct encoding *encoding = &report->model.encoding;
  report_html_section(out, "columns", "How the data was read");
  fprintf(out, "<p>%s, %" PRIu32 " numbers a record, of which the learners get %" PRIu32 " features. ",
          encoding->format->name, encoding->raw_columns, encoding->columns);
  fputs("Ranges, categories and projections were learned from public data only.", out);
  if (encoding->label) report_html_printf(out, " Label column: \"%s\".", encoding->label);
  if (encoding->unit) report_html_printf(out, " Unit column: \"%s\".", encoding->unit);
  fputs("</p>\n", out);
  if (encoding->column_count) {
    fputs("<div class='scroll'><table><thead><tr><th>column</th><th>read as</th><th>public range or categories</th>"
          "<th class='n'>features</th></tr></thead>\n",
          out);
    for (size_t i = 0; i < encoding->column_count && i < REPORT_AUDIT_COLUMNS; i++)
      report_audit_column(encoding->column + i, out);
    fputs("</table></div>\n", out);
  }
  if (encoding->column_count > REPORT_AUDIT_COLUMNS)
    fprintf(out, "<p class='soft'>The first %d of %zu columns.</p>\n", REPORT_AUDIT_COLUMNS, encoding->column_count);
  fputs("</section>\n", out);
}

/* ---- the certificate ---- */

static void report_audit_digest(FILE *out, const char *name, const uint8_t digest[DIGEST_SIZE]) {
  char text[DIGEST_TEXT];
  digest_print(digest, text);
  fputs("<tr><th>", out);
  report_html_text(out, name);
  fprintf(out, "</th><td><code>%s</code></td></tr>\n", text);
}

static void report_audit_tables(const struct plan_box *plan, FILE *out) {
  if (plan->mechanism == PLAN_MECHANISM_CLASSIC) {
    report_html_row(out, "width", "%" PRId64, plan->classic.width);
    report_html_row(out, "tables", "%" PRIu32 " and %" PRIu32 " outcomes", plan->classic.threshold.size,
                    plan->classic.query.size);
    return;
  }
  if (plan->mechanism != PLAN_MECHANISM_TOLL) {
    report_html_row(out, "V, the price of a silence", "%.9f", ldexp((double)plan->claim.v, -32));
    report_html_row(out, "table of silence", "%" PRIu32 " distances", plan->meter.size);
    report_html_row(out, "silence at distance 1", "1 - %.3g", 1 - plan_silence(plan, 1));
    report_html_row(out, "silence at the last distance", "%.3g", plan_silence(plan, plan->meter.size));
  }
  if (plan->mechanism == PLAN_MECHANISM_METER) return;
  report_html_row(out, "U, the price of an answer", "%.9f", ldexp((double)plan->claim.u, -32));
  report_html_row(out, "table of answers", "%" PRIu32 " distances", plan->toll.size);
}

static void report_audit_summary(const struct report *report, FILE *out, const char *name, const char *key) {
  const char *text = report_summary_text(&report->summary, key);
  if (text) report_html_row(out, name, "%s", text);
}

static void report_audit_certificate(const struct report *report, FILE *out) {
  const fumata_claim *claim = &report->plan.claim;
  char limit[PLAN_QUOTA_TEXT];
  struct plan_terms terms;
  plan_terms(&report->plan, &terms);
  report_html_section(out, "certificate", "The certificate");
  fprintf(out, "<p>%s</p>\n<table class='facts'>\n",
          report->is_certified
              ? "The proved core judged the plan again when this page was made: <b class='good'>it keeps "
                "its claim</b>."
              : "<b class='bad'>The proved core refuses this plan.</b>");
  report_html_row(out, "mechanism", "%s", plan_mechanism_name(report->plan.mechanism));
  report_html_row(out, "epsilon, delta", "%" PRIu64 "/%" PRIu64 ", %" PRIu64 "/%" PRIu64, (uint64_t)claim->epsilon_num,
                  (uint64_t)claim->epsilon_den, claim->delta_num, claim->delta_den);
  report_html_row(out, "order alpha", "%" PRIu32, claim->alpha);
  report_html_row(out, "pays for", "%s", plan_quota_print(plan_limit(&report->plan), limit));
  report_audit_tables(&report->plan, out);
  report_audit_digest(out, "digest of the plan", terms.digest);
  fputs("</table>\n<h3>The run</h3><table class='facts'>\n", out);
  report_audit_summary(report, out, "version", "version");
  report_audit_summary(report, out, "command", "command");
  report_audit_summary(report, out, "teachers learn by", "learner");
  report_audit_summary(report, out, "the student learns by", "student");
  report_audit_summary(report, out, "ledger", "ledger");
  report_audit_summary(report, out, "ledger's head after the run", "ledger_head");
  for (int i = 0; i < REPORT_FILES; i++)
    report_audit_digest(out, report_files[i], report->digest[i]);
  fputs("</table></section>\n", out);
}

/* ---- words ---- */

static const struct {
  const char *word, *what;
} report_audit_words[] = {
    {"PROVED", "At most T silences over any history of calls, crashes and resumptions"},
    {"PROVED",
     "Silent at distance 0, silent exactly when the coin is below the table's entry; a label is the winner of the "
     "vote"},
    {"PROVED", "Winner and distance are right; one vote that comes, goes or moves changes the distance by at most 1"},
    {"PROVED", "The core accepts a plan if and only if an integer predicate holds of its tables"},
    {"PROVED", "That predicate implies (ε, δ)-differential privacy of everything that is answered, over several runs"},
    {"PROVED", "Releases on one data set, one after the other, add up to the ledger's total"},
    {"PROVED", "No run-time error and no overflow in the core; an error changes nothing"},
    {"TESTED", "The program around the core: files, learners, ledger, crash safety, this page"},
    {"TESTED", "What the two provers speak of is the same"},
    {"ASSUMED",
     "Coins of the operating system are uniform; the disk keeps what it acknowledged; compilers and provers are "
     "right"},
    {"ASSUMED", "The public records are public, and whoever ran this gave the right column for a unit"}};

static void report_audit_trust(FILE *out) {
  report_html_section(out, "trust", "What is proved, tested and assumed");
  fputs("<table class='words'>\n", out);
  for (size_t i = 0; i < sizeof report_audit_words / sizeof *report_audit_words; i++) {
    const char *word = report_audit_words[i].word;
    fprintf(out, "<tr><td class='%s'>%s</td><td>%s</td></tr>\n",
            !strcmp(word, "PROVED")   ? "good"
            : !strcmp(word, "TESTED") ? ""
                                      : "warn",
            word, report_audit_words[i].what);
  }
  fputs(
      "</table>\n<p class='soft'>PROVED: by machine-checked proof (Frama-C WP, Coq). TESTED: tried to falsify, without "
      "success. ASSUMED: taken for granted; specs/TRUST.md of Fumata lists all of it.</p></section>\n",
      out);
}

void report_audit(const struct report *report, FILE *out) {
  report_audit_columns(report, out);
  report_audit_certificate(report, out);
  report_audit_trust(out);
}
