#include "report/html.h"

#include <stdarg.h>
#include <string.h>

void html_text(FILE *out, const char *text) {
  static const char special[] = "&<>\"'";
  static const char *const instead[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    const char *found = strchr(special, c);
    if (found)
      fputs(instead[found - special], out);
    else
      fputc(c < 0x20 || c == 0x7f ? '?' : c, out);
  }
}

/* `one` is a conversion alone, such as %.1f. */
static void html_convert(FILE *out, const char *one, va_list *arguments) {
  char kind = one[strlen(one) - 1];
  if (kind == '%')
    fputc('%', out);
  else if (kind == 's')
    html_text(out, va_arg(*arguments, const char *));
  else if (kind == 'f' || kind == 'g')
    fprintf(out, one, va_arg(*arguments, double));
  else if (strstr(one, "ll"))
    fprintf(out, one, va_arg(*arguments, unsigned long long));
  else if (strpbrk(one, "lz"))
    fprintf(out, one, va_arg(*arguments, unsigned long));
  else
    fprintf(out, one, va_arg(*arguments, unsigned));
}

void html_print(FILE *out, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  while (*format) {
    size_t plain = strcspn(format, "%"), length;
    char one[16];
    fwrite(format, 1, plain, out);
    format += plain;
    if (!*format) break;
    length = 2 + strcspn(format + 1, "%sfgdu");
    snprintf(one, sizeof one, "%.*s", (int)length, format);
    html_convert(out, one, &arguments);
    format += length;
  }
  va_end(arguments);
}

/* Where the character number `wanted` of a text in UTF-8 begins, or its end. */
static size_t html_place(const char *text, size_t wanted) {
  size_t at = 0, seen = 0;
  while (text[at] && (((unsigned char)text[at] & 0xc0) == 0x80 || seen++ < wanted))
    at++;
  return at;
}

void html_name(FILE *out, const char *name, size_t most) {
  const size_t half = most / 2;
  char begin[4 * HTML_NAME_MOST + 1];
  size_t length = 0;
  for (size_t i = 0; name[i]; i++)
    length += ((unsigned char)name[i] & 0xc0) != 0x80;
  if (length <= most) {
    html_text(out, name);
    return;
  }
  snprintf(begin, sizeof begin, "%.*s", (int)html_place(name, half), name);
  html_print(out, "%s…%s", begin, name + html_place(name, length - half + 1));
}

/* Light, dark and paper; one column on a phone, two on a desk. */
static const char html_style[] =
    ":root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--ink:#1b2330;--soft:#566072;--line:#d9dee7;"
    "--accent:#2456c9;--accent2:#c2620c;--good:#1a7f45;--bad:#b42318;--tint:#e8eefb}\n"
    "@media(prefers-color-scheme:dark){:root{--page:#11151c;--card:#1a202a;--ink:#e6eaf2;--soft:#a3adbd;--line:#323b4a;"
    "--accent:#7ba4ff;--accent2:#f0a35e;--good:#5ccf8e;--bad:#ff8577;--tint:#222c40}}\n"
    "@media print{:root{color-scheme:light;--page:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--accent:#2456c9;"
    "--accent2:#c2620c;--good:#1a7f45;--bad:#b42318;--tint:#eef}"
    "body{font-size:12.5px!important}.two>section,.tile,figure,tr,h2,h3{break-inside:avoid}h2,h3{break-after:avoid}"
    "main{max-width:none!important;padding:0!important}.two{grid-template-columns:1fr 1fr!important}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere;"
    "-webkit-print-color-adjust:exact;print-color-adjust:exact}\n"
    "main{max-width:1040px;margin:0 auto;padding:1rem}\n"
    "header{padding:.5rem 0 1rem}h1{font-size:1.7rem;line-height:1.2;margin:.2rem 0 .5rem}\n"
    "h2{font-size:1.15rem;margin:0 0 .6rem}h3{font-size:1rem;margin:1.2rem 0 .4rem}\n"
    "section{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1rem 1.1rem;margin:0 0 "
    "1rem}\n"
    "p{margin:.4rem 0 .7rem}.soft{color:var(--soft);font-size:.9rem}\n"
    ".claim{font-size:1.12rem}.chips span{display:inline-block;border-radius:99px;padding:.1rem .7rem;margin:0 .4rem "
    ".3rem 0;"
    "font-size:.85rem;font-weight:600;border:1px solid currentColor}\n"
    ".good{color:var(--good)}.bad{color:var(--bad)}.warn{color:var(--accent2)}\n"
    ".alarm{border:2px solid var(--bad);color:var(--bad);font-weight:600}\n"
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.7rem;margin:.8rem 0 .2rem}\n"
    ".tile{background:var(--tint);border-radius:8px;padding:.6rem .8rem}.tile "
    "b{display:block;font-size:1.35rem;line-height:1.25}"
    ".tile span{color:var(--soft);font-size:.85rem}\n"
    ".two{display:grid;grid-template-columns:1fr;gap:0 1rem}.two>section{min-width:0}"
    "@media(min-width:820px){.two{grid-template-columns:1fr 1fr}}\n"
    ".scroll{overflow-x:auto}.scroll td,.scroll "
    "th{overflow-wrap:normal}table{border-collapse:collapse;width:100%;font-size:.92rem}\n"
    "th,td{text-align:left;padding:.3rem .5rem;border-bottom:1px solid var(--line);vertical-align:top}\n"
    "th{font-weight:600;color:var(--soft)}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:"
    "nowrap}\n"
    ".one{white-space:nowrap}.facts th{width:38%}.brief th{width:9.5rem}code{font:.85em ui-monospace,monospace}\n"
    ".words td:first-child{width:6.2rem;font-weight:700;font-size:.8rem;letter-spacing:.03em}\n"
    ".matrix{width:auto}.matrix td,.matrix th{padding:.22rem .25rem;text-align:center;font-size:.8rem}"
    ".matrix th.row{text-align:right;white-space:nowrap}.matrix thead th "
    "span{writing-mode:vertical-rl;transform:rotate(180deg);max-height:9rem;white-space:nowrap;"
    "overflow:hidden;text-overflow:ellipsis}.matrix .hi{color:#fff}\n"
    "figure{margin:.3rem 0;max-width:36rem}svg{display:block;width:100%;height:auto;font:12.5px system-ui,sans-serif}\n"
    "svg text{fill:var(--soft);paint-order:stroke;stroke:var(--card);stroke-width:3px}svg .plain text{stroke:none}svg "
    ".frame{stroke:var(--line);fill:none}svg .grid{stroke:var(--line);stroke-dasharray:2 "
    "3}"
    "svg .a{stroke:var(--accent);fill:none;stroke-width:2}svg .b{stroke:var(--accent2);fill:none;stroke-width:2}"
    "svg .mark{stroke:var(--bad);stroke-dasharray:4 3}svg .af{fill:var(--accent)}svg .bf{fill:var(--accent2)}"
    "svg .track{fill:var(--tint)}svg text.at{fill:var(--accent)}svg text.bt{fill:var(--accent2)}svg "
    "text.mt{fill:var(--bad)}"
    "svg text.ink{fill:var(--ink)}\n"
    "@media(max-width:640px){.stack thead{display:none}.stack,.stack tbody,.stack tr{display:block}"
    ".stack tr{border-bottom:2px solid var(--line);padding:.4rem 0}.stack "
    "td{display:flex;justify-content:space-between;"
    "gap:1rem;border:0;padding:.12rem 0;text-align:right;white-space:normal!important}"
    ".stack td::before{content:attr(data-name);color:var(--soft);text-align:left}"
    ".facts th{display:block;width:auto!important;border:0;padding:.4rem 0 0}.facts td{display:block;padding:0 0 "
    ".4rem}}\n"
    "@media(max-width:480px){.matrix td,.matrix th{padding:.15rem .14rem;font-size:.7rem}section{padding:.9rem "
    ".8rem}}\n"
    "footer{color:var(--soft);font-size:.85rem;padding:0 0 1.5rem}\n";

void html_open(FILE *out, const char *title) {
  html_print(out,
             "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
             "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
             "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
             "<title>%s</title>\n<style>\n",
             title);
  fputs(html_style, out);
  fputs("</style>\n</head>\n<body>\n<main>\n", out);
}

void html_close(FILE *out) {
  fputs("</main>\n</body>\n</html>\n", out);
}
