#include "command/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* What a command prints for --list-options, to be freed. It prints to standard output, which is a text while it runs. */
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

/* Calls `print` for each command with its list of options. */
static int completion_each(const struct command *commands, size_t count,
                           int (*print)(const struct command *command, char *list)) {
  int code = EXIT_OK;
  for (size_t i = 0; !code && i < count; i++) {
    char *list;
    code = completion_options(&commands[i], &list);
    if (!code) code = print(&commands[i], list);
    free(list);
  }
  return code;
}

/* ---- bash ---- */

static int completion_bash_command(const struct command *command, char *list) {
  char *names = NULL;
  size_t size = 0;
  FILE *all = open_memstream(&names, &size);
  struct completion_row row;
  if (!all) return memory_short();
  printf("    %s)\n      case $before in\n", command->name);
  while (completion_next(&list, &row)) {
    fprintf(all, "%s ", row.name);
    if (row.values[0])
      printf("        %s) words=\"%s\" ;;\n", row.name, row.values);
    else if (row.argument[0] && !completion_is_file(&row))
      printf("        %s) return ;;\n", row.name);
  }
  fclose(all);
  printf("      esac\n      [ -n \"$words\" ] || options=\"%s\"\n      ;;\n", names);
  free(names);
  return EXIT_OK;
}

static int completion_bash(const struct command *commands, size_t count) {
  int code;
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
  code = completion_each(commands, count, completion_bash_command);
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

static int completion_zsh_command(const struct command *command, char *list) {
  struct completion_row row;
  printf("    %s)\n      _arguments \\\n", command->name);
  while (completion_next(&list, &row)) {
    printf("        '%s[", row.name);
    completion_zsh_text(row.help);
    fputc(']', stdout);
    if (row.argument[0]) {
      fputc(':', stdout);
      completion_zsh_text(row.argument);
      fputc(':', stdout);
    }
    if (row.values[0])
      printf("(%s)", row.values);
    else if (completion_is_file(&row))
      fputs("_files", stdout);
    fputs("' \\\n", stdout);
  }
  fputs("        '*:file:_files'\n      ;;\n", stdout);
  return EXIT_OK;
}

static int completion_zsh(const struct command *commands, size_t count) {
  int code;
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
  code = completion_each(commands, count, completion_zsh_command);
  fputs("  esac\n}\n_fumata \"$@\"\n", stdout);
  return code;
}

/* ---- fish ---- */

/* Inside single quotes, to the end of the line. */
static void completion_fish_text(const char *text) {
  fputc('\'', stdout);
  for (; *text; text++) {
    if (*text == '\'' || *text == '\\') fputc('\\', stdout);
    fputc(*text, stdout);
  }
  fputs("'\n", stdout);
}

static int completion_fish_command(const struct command *command, char *list) {
  struct completion_row row;
  while (completion_next(&list, &row)) {
    printf("complete -c fumata -n '__fish_seen_subcommand_from %s' -l %s", command->name, row.name + 2);
    if (row.argument[0]) fputs(completion_is_file(&row) ? " -r -F" : " -x", stdout);
    if (row.values[0]) printf(" -a '%s'", row.values);
    fputs(" -d ", stdout);
    completion_fish_text(row.help);
  }
  return EXIT_OK;
}

static int completion_fish(const struct command *commands, size_t count) {
  fputs("# fish completion of fumata; made by `fumata completion fish`\n", stdout);
  for (size_t i = 0; i < count; i++) {
    printf("complete -c fumata -n __fish_use_subcommand -f -a %s -d ", commands[i].name);
    completion_fish_text(commands[i].line);
  }
  return completion_each(commands, count, completion_fish_command);
}

int completion_print(const char *shell, const struct command *commands, size_t count) {
  if (strcmp(shell, "bash") == 0) return completion_bash(commands, count);
  if (strcmp(shell, "zsh") == 0) return completion_zsh(commands, count);
  if (strcmp(shell, "fish") == 0) return completion_fish(commands, count);
  if (strcmp(shell, "--help") && strcmp(shell, "-h"))
    return error_report(EXIT_INPUT, "'%.40s' is not a shell that completion knows; give bash, zsh or fish", shell);
  fputs("usage: fumata completion bash|zsh|fish\n\n"
        "Prints a script with which the shell completes commands, options and their values. `make install` installs\n"
        "it. For one session:\n\n"
        "  source <(fumata completion bash)\n"
        "  source <(fumata completion zsh)        after autoload -Uz compinit && compinit\n"
        "  fumata completion fish | source\n",
        stdout);
  return EXIT_OK;
}
