#include "command/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* What a command lists of itself (--list-options), to be freed. The command prints to standard output, so that is turned
 * to a text while it runs. */
static int completion_options(const struct command *command, char **text) {
  char name[32], *argv[] = {name, "--list-options", NULL};
  FILE *keep = stdout;
  size_t size = 0;
  int code;
  snprintf(name, sizeof name, "%s", command->name);
  *text = NULL;
  stdout = open_memstream(text, &size);
  if (!stdout) {
    stdout = keep;
    return memory_short();
  }
  code = command->run(2, argv);
  fclose(stdout);
  stdout = keep;
  return code;
}

/* One row of such a list: --name, the argument or nothing, values that it may have, help. */
struct completion_row {
  const char *name, *argument, *values, *help;
};

/* Cuts the next row off; 0 at the end. */
static int completion_next(char **at, struct completion_row *row) {
  char *line = strsep(at, "\n");
  if (!line || !*line) return 0;
  row->name = strsep(&line, "\t");
  row->argument = line ? strsep(&line, "\t") : "";
  row->values = line ? strsep(&line, "\t") : "";
  row->help = line ? line : "";
  return 1;
}

static int completion_is_file(const struct completion_row *row) {
  return strcmp(row->argument, "FILE") == 0 || strcmp(row->argument, "DIR") == 0;
}

/* ---- bash ---- */

static int completion_bash_command(const struct command *command) {
  char *text, *at;
  struct completion_row row;
  int code = completion_options(command, &text);
  if (code) return code;
  printf("    %s)\n      case $before in\n", command->name);
  for (at = text; completion_next(&at, &row);) {
    if (row.values[0])
      printf("        %s) words=\"%s\" ;;\n", row.name, row.values);
    else if (row.argument[0] && !completion_is_file(&row))
      printf("        %s) return ;;\n", row.name);
  }
  free(text);
  code = completion_options(command, &text);
  if (code) return code;
  fputs("      esac\n      [ -n \"$words\" ] || options=\"", stdout);
  for (at = text; completion_next(&at, &row);)
    printf("%s ", row.name);
  fputs("\"\n      ;;\n", stdout);
  free(text);
  return EXIT_OK;
}

static int completion_bash(const struct command *commands, size_t count) {
  int code = EXIT_OK;
  fputs("# bash completion of fumata; made by `fumata completion bash`\n"
        "_fumata() {\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= options=\n"
        "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "    COMPREPLY=($(compgen -W \"",
        stdout);
  for (size_t i = 0; i < count; i++)
    printf("%s ", commands[i].name);
  fputs("--help --version\" -- \"$word\"))\n"
        "    return\n"
        "  fi\n"
        "  case ${COMP_WORDS[1]} in\n",
        stdout);
  for (size_t i = 0; !code && i < count; i++)
    code = completion_bash_command(&commands[i]);
  fputs("  esac\n"
        "  if [ -n \"$words\" ]; then\n"
        "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
        "  elif [ \"${word#-}\" != \"$word\" ]; then\n"
        "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
        "  else\n"
        "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
        "  fi\n"
        "}\n"
        "complete -o filenames -F _fumata fumata\n",
        stdout);
  return code;
}

/* ---- zsh ---- */

/* Inside single quotes and _arguments' own brackets and colons. */
static void completion_zsh_text(const char *text) {
  for (; *text; text++) {
    if (*text == '\'')
      fputs("'\\''", stdout);
    else if (strchr("[]:\\", *text))
      printf("\\%c", *text);
    else
      fputc(*text, stdout);
  }
}

static void completion_zsh_row(const struct completion_row *row) {
  printf("        '%s[", row->name);
  completion_zsh_text(row->help);
  fputc(']', stdout);
  if (row->argument[0]) {
    fputc(':', stdout);
    completion_zsh_text(row->argument);
    fputc(':', stdout);
  }
  if (row->values[0])
    printf("(%s)", row->values);
  else if (completion_is_file(row))
    fputs("_files", stdout);
  fputs("' \\\n", stdout);
}

static int completion_zsh_command(const struct command *command) {
  char *text, *at;
  struct completion_row row;
  int code = completion_options(command, &text);
  if (code) return code;
  printf("    %s)\n      _arguments \\\n", command->name);
  for (at = text; completion_next(&at, &row);)
    completion_zsh_row(&row);
  fputs("        '*:file:_files'\n      ;;\n", stdout);
  free(text);
  return EXIT_OK;
}

static int completion_zsh(const struct command *commands, size_t count) {
  int code = EXIT_OK;
  fputs("#compdef fumata\n# zsh completion of fumata; made by `fumata completion zsh`\n"
        "_fumata() {\n"
        "  local -a commands\n"
        "  commands=(\n",
        stdout);
  for (size_t i = 0; i < count; i++) {
    printf("    '%s:", commands[i].name);
    completion_zsh_text(commands[i].line);
    fputs("'\n", stdout);
  }
  fputs("  )\n"
        "  if (( CURRENT == 2 )); then\n"
        "    _describe command commands\n"
        "    return\n"
        "  fi\n"
        "  local command=$words[2]\n"
        "  shift words\n"
        "  (( CURRENT-- ))\n"
        "  case $command in\n",
        stdout);
  for (size_t i = 0; !code && i < count; i++)
    code = completion_zsh_command(&commands[i]);
  fputs("  esac\n}\n_fumata \"$@\"\n", stdout);
  return code;
}

int completion_print(const char *shell, const struct command *commands, size_t count) {
  if (strcmp(shell, "bash") == 0) return completion_bash(commands, count);
  if (strcmp(shell, "zsh") == 0) return completion_zsh(commands, count);
  return error_report(EXIT_INPUT, "'%.40s': fumata completion bash, or zsh", shell);
}
