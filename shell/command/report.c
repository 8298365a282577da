/* fumata report: one page about a run, for those who decide and for those who audit. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/output.h"
#include "command/commands.h"
#include "command/options.h"
#include "report/page.h"

struct report {
  struct findings findings;
  const char *output_path;
  int force;
};

#define REPORT_AT(member) offsetof(struct report, member)

static const struct options_row report_rows[] = {
    {"output", "FILE", options_text, REPORT_AT(output_path), .letter = 'o', .help = "the page; DIR/report.html"},
    {"test", "FILE", options_text, REPORT_AT(findings.test_path),
     .help = "labelled records to measure the student on; assumed to be public"},
    {"ledger", "FILE", options_text, REPORT_AT(findings.ledger_path), .help = "the data set's ledger, if it was moved"},
    {"force", NULL, options_flag, REPORT_AT(force), .help = "overwrite the page, unless it is an input"},
    {"unsafe-exec", NULL, options_flag, REPORT_AT(findings.exec),
     .help = "run the command that a student with an exec learner names: only if you trust the model"},
    {0}};

static const struct options_command report_command = {
    .name = "report",
    .before = "usage: fumata report DIR [--test FILE] [-o FILE]\n"
              "\n"
              "Writes one page of HTML about what `fumata learn -o DIR` did: the claim in words, what was spent and\n"
              "what is left, how answers are given, what was released, how good the student is, and what is proved,\n"
              "tested and assumed. The page is complete in itself: it can be mailed, printed and kept. It costs no\n"
              "budget, because it holds only what was released and what never depended on the private records.\n"
              "\n"
              "  fumata report out                              writes out/report.html\n"
              "  fumata report out --test test.csv -o run.html\n"
              "\n",
    .groups = (const struct options_group[]){{NULL, report_rows, 0}, {0}},
    .arguments = OPTIONS_ANY};

static int report_write(struct report *report) {
  struct findings *findings = &report->findings;
  const char *const inputs[] = {findings->path[0],
                                findings->path[1],
                                findings->path[2],
                                findings->path[3],
                                OUTPUT_INPUT(findings->test_path),
                                OUTPUT_INPUT(findings->ledger_found),
                                NULL};
  struct output output = {0};
  int code = output_allow(report->output_path, report->force, inputs);
  if (!code) code = findings_score(findings);
  if (!code) code = output_open(&output, report->output_path);
  if (!code) code = page_print(findings, output.stream);
  return output_end(&output, code);
}

int command_report(int argc, char **argv) {
  struct report report = {0};
  struct options_rest rest;
  char *usual = NULL;
  int code = options_parse(&report_command, argc, argv, &report, &rest);
  if (code || rest.is_help) return code;
  if (rest.count != 1) return error_report(EXIT_INPUT, "give one folder of results; fumata report --help explains");
  report.findings.folder = rest.word[0];
  if (!report.output_path) {
    code = memory_print(&usual, "%s/report.html", report.findings.folder);
    report.output_path = usual;
  }
  if (!code) code = findings_read(&report.findings);
  if (!code) code = report_write(&report);
  if (!code) printf("written: %s\n", report.output_path);
  findings_free(&report.findings);
  free(usual);
  return code;
}
