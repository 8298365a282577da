/* fumata answer: queries or ready votes in, one line each out, until the budget is closed. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/output.h"
#include "command/commands.h"
#include "command/training.h"
#include "release/answers.h"

static const char answer_help[] =
    "usage: fumata answer --votes FILE --classes A,B --plan FILE --ledger FILE [OPTION...]\n"
    "       fumata answer --private FILE --public FILE --classes A,B --teachers K --epsilon E --delta D --silences T\n"
    "                     --ledger FILE [OPTION...] [QUERIES]\n"
    "\n"
    "Writes one line a query, `id,answer`, as they come: the label that the teachers agree on, or `silent`. Labels "
    "are\n"
    "free; after T silences the session closes. The ledger remembers what was spent: the same command goes on where\n"
    "it stopped.\n"
    "\n"
    "  fumata plan --epsilon 2 --delta 1e-5 --silences 100 -o two.plan\n"
    "  fumata answer --votes votes.npy --classes no,yes --plan two.plan --ledger clinic.ledger\n"
    "  my-teachers | fumata answer --votes - --classes no,yes --plan two.plan --ledger clinic.ledger\n"
    "  fumata answer --private clinic.csv --public survey.csv --label sick --classes no,yes --teachers 250 \\\n"
    "                --epsilon 2 --delta 1e-5 --silences 100 --ledger clinic.ledger new.csv\n"
    "\n"
    "votes of teachers that were trained elsewhere\n"
    "  --votes FILE        .npy or CSV, also gzip'ed, - for standard input: one row a query; one column a teacher\n"
    "                      (labels, uint8 or uint16) or one column a class (counts)\n"
    "  --votes-are M       labels or counts, where the file does not tell\n"
    "teachers trained here (QUERIES is a file like the public one, or - for standard input)\n"
    "  --private, --public, --schema, --label, --classes, --unit, --features, --learner, --teachers, --seconds\n"
    "                      as in fumata learn\n"
    "budget\n"
    "  --plan FILE         what `fumata plan` wrote; or --epsilon E --delta D --silences T\n"
    "  --ledger FILE       where spending is recorded; made when it is not there\n"
    "  --name N --total-epsilon E --total-delta D    name and ceilings of a new ledger\n"
    "  --again             spend on a plan that is used up a second time\n"
    "output\n"
    "  -o, --output FILE   write there instead of to standard output\n"
    "  --batch N           queries read at a time (4096; 1 when they come through a pipe)\n"
    "  --unsafe-seed N     reproducible coins, for tests: the answers are NOT private\n"
    "  --unsafe-verbose    show what exec learners print\n";

enum { ANSWER_VOTES = TRAINING_OWN, ANSWER_MEANING, ANSWER_BATCH };

struct answer {
  struct training recipe;
  const char *votes_path, *queries_path, *output_path;
  enum ballots_meaning meaning;
  size_t batch;
  struct classes classes; /* ready votes: declared here */
  const struct classes *names;
  struct session session;
  struct ballots ballots; /* one of the two inputs is open */
  struct reader reader;
  int has_ballots, has_reader;
  void *map; /* a plain file of uint8 or uint16 labels is used where it lies */
  size_t map_size;
  FILE *out;
  char *text;    /* the end of a line for each class, then for a silence, one after the other ... */
  size_t *start; /* ... and where each begins */
  uint64_t id;
  int is_closed;
};

static int answer_parse(int argc, char **argv, struct answer *answer, int *help) {
  static const struct option names[] = {TRAINING_OPTIONS,
                                        {"votes", required_argument, NULL, ANSWER_VOTES},
                                        {"votes-are", required_argument, NULL, ANSWER_MEANING},
                                        {"batch", required_argument, NULL, ANSWER_BATCH},
                                        {"output", required_argument, NULL, 'o'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};
  uint64_t number = 0;
  int c, code = EXIT_OK;
  optind = 0;
  while (!code && (c = getopt_long(argc, argv, ":o:h", names, NULL)) != -1) {
    switch (c) {
    case ANSWER_VOTES:
      answer->votes_path = optarg;
      break;
    case ANSWER_MEANING:
      if (!strcmp(optarg, "labels"))
        answer->meaning = BALLOTS_LABELS;
      else if (!strcmp(optarg, "counts"))
        answer->meaning = BALLOTS_COUNTS;
      else
        code = error_report(EXIT_INPUT, "--votes-are: '%.40s' is neither labels nor counts", optarg);
      break;
    case ANSWER_BATCH:
      code = training_count("--batch", optarg, 1000000, &number);
      answer->batch = (size_t)number;
      break;
    case 'o':
      answer->output_path = optarg;
      break;
    case 'h':
      *help = 1;
      return EXIT_OK;
    default:
      code = training_option(&answer->recipe, "answer", c, optarg, argv);
    }
  }
  answer->queries_path = answer->votes_path ? NULL : "-";
  if (!code && optind < argc) answer->queries_path = argv[optind++];
  if (!code && optind < argc)
    code = error_report(EXIT_INPUT, "'%s' is not expected here; fumata answer --help", argv[optind]);
  return code;
}

static int answer_check(const struct answer *answer) {
  const struct training *recipe = &answer->recipe;
  if (!recipe->session.ledger_path)
    return error_report(EXIT_INPUT, "--ledger FILE is missing: where spending is recorded");
  if (recipe->plan_path && (recipe->has_epsilon || recipe->has_delta || recipe->has_silences))
    return error_report(EXIT_INPUT, "--plan already says epsilon, delta and silences");
  if (!recipe->plan_path && !(recipe->has_epsilon && recipe->has_delta && recipe->has_silences))
    return error_report(EXIT_INPUT, "--plan FILE, or --epsilon, --delta and --silences, are missing");
  if (answer->votes_path && (recipe->private_path || answer->queries_path))
    return error_report(EXIT_INPUT, "--votes are ready: %s is too much",
                        recipe->private_path ? "--private" : answer->queries_path);
  if (answer->votes_path && !recipe->request.classes)
    return error_report(EXIT_INPUT, "--classes is missing, for instance --classes no,yes");
  if (!answer->votes_path && !recipe->private_path)
    return error_report(EXIT_INPUT, "--votes FILE or --private FILE is missing");
  if (!answer->votes_path && !recipe->teachers)
    return error_report(EXIT_INPUT, "--teachers K is missing; fumata plan says how many it takes");
  return EXIT_OK;
}

/* Through a pipe an answer must not wait for the queries after it. */
static size_t answer_batch(const struct answer *answer, const char *path) {
  struct stat about;
  int pipe = strcmp(path, "-") ? stat(path, &about) == 0 && !S_ISREG(about.st_mode)
                               : fstat(STDIN_FILENO, &about) == 0 && !S_ISREG(about.st_mode);
  return answer->batch ? answer->batch : pipe ? 1 : 4096;
}

/* What may follow an id is known beforehand. */
static int answer_texts(struct answer *answer) {
  uint32_t count = answer->names->count;
  size_t size = 0;
  FILE *stream = open_memstream(&answer->text, &size);
  answer->start = calloc(count + 2, sizeof *answer->start);
  if (!stream || !answer->start) {
    if (stream) fclose(stream);
    return error_report(EXIT_SYSTEM, "out of memory");
  }
  for (uint32_t i = 0; i <= count; i++) {
    answers_print(stream, i < count ? answer->names->name[i] : NULL);
    fflush(stream);
    answer->start[i + 1] = size;
  }
  return fclose(stream) == 0 ? EXIT_OK : error_report(EXIT_SYSTEM, "out of memory");
}

static void answer_write(void *context, int32_t label) {
  struct answer *answer = context;
  char digits[24], *digit = digits + sizeof digits;
  uint64_t id = answer->id++;
  uint32_t which = label == FUMATA_SILENT ? answer->names->count : (uint32_t)label;
  *--digit = ',';
  do
    *--digit = (char)('0' + id % 10);
  while (id /= 10);
  fwrite_unlocked(digit, 1, (size_t)(digits + sizeof digits - digit), answer->out);
  fwrite_unlocked(answer->text + answer->start[which], 1, answer->start[which + 1] - answer->start[which], answer->out);
}

static int answer_flush(struct answer *answer) {
  if (fflush(answer->out) == 0 && !ferror(answer->out)) return EXIT_OK;
  return error_report(EXIT_SYSTEM, "cannot write the answers");
}

/* One batch of ballots; *open = 0 when the budget has closed. */
static int answer_ballots(struct answer *answer, const struct votes *votes, int *open) {
  uint64_t before = answer->id;
  int code = session_answer_batch(&answer->session, votes, answer_write, answer);
  *open = answer->id - before == votes->count;
  return code ? code : answer_flush(answer);
}

/* Labels in a plain file need no copy: the core reads them where they are, and refuses what is no label. */
static void answer_map(struct answer *answer) {
  const struct ballots *ballots = &answer->ballots;
  uint64_t cells = ballots->npy.rows * ballots->npy.columns * ballots->npy.item;
  int fd;
  if (!ballots->is_npy || !ballots->stream.is_plain || ballots->meaning != BALLOTS_LABELS ||
      (ballots->npy.type != NPY_U8 && ballots->npy.type != NPY_U16) || cells == 0 || ballots->stream.size < cells ||
      (ballots->stream.size - cells) % ballots->npy.item)
    return;
  fd = open(answer->votes_path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  answer->map = mmap(NULL, ballots->stream.size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (answer->map == MAP_FAILED)
    answer->map = NULL;
  else
    madvise(answer->map, answer->map_size = ballots->stream.size, MADV_SEQUENTIAL);
}

/* The next rows of the map, as ballots_next would give them. */
static void answer_mapped(const struct answer *answer, uint64_t at, size_t size, struct votes *batch) {
  const struct npy *npy = &answer->ballots.npy;
  uint64_t row = npy->columns * npy->item, left = npy->rows - at;
  const unsigned char *cells = (const unsigned char *)answer->map + answer->map_size - left * row;
  memset(batch, 0, sizeof *batch);
  batch->count = left < size ? (size_t)left : size;
  batch->teachers = answer->ballots.teachers;
#ifdef MADV_POPULATE_READ
  /* One call for many pages is cheaper than a fault for each few; where it is not known, faults do. */
  {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)cells / page * page;
    madvise((void *)first, (uintptr_t)(cells + batch->count * row) - first, MADV_POPULATE_READ);
  }
#endif
  if (npy->item == 1)
    batch->labels8 = cells;
  else
    batch->labels16 = (const uint16_t *)(const void *)cells;
}

static int answer_votes(struct answer *answer) {
  struct votes batch;
  size_t size = answer_batch(answer, answer->votes_path);
  int open = 1, code;
  do {
    if (answer->map) {
      answer_mapped(answer, answer->id, size, &batch);
      code = EXIT_OK;
    } else {
      code = ballots_next(&answer->ballots, size, &batch);
    }
    if (!code && batch.count) code = answer_ballots(answer, &batch, &open);
  } while (!code && open && batch.count);
  return code;
}

static int answer_queries(struct answer *answer) {
  const struct ensemble *ensemble = &answer->recipe.ensemble;
  const struct encoding *encoding = &answer->recipe.encoding;
  size_t size = answer_batch(answer, answer->queries_path), width = ensemble_width(ensemble);
  unsigned char *votes = malloc(size * ensemble->teachers * width);
  struct rows rows;
  int open = 1, code;
  if (!votes) return error_report(EXIT_SYSTEM, "out of memory");
  rows_init(&rows, encoding->columns, encoding->is_dense);
  do {
    struct votes batch = {.teachers = ensemble->teachers};
    rows_clear(&rows);
    code = reader_next(&answer->reader, &rows, size);
    if (!code && rows.count) code = ensemble_vote(ensemble, &rows, 0, rows.count, votes);
    batch.count = rows.count;
    if (width == 1)
      batch.labels8 = votes;
    else
      batch.labels16 = (const uint16_t *)votes;
    if (!code && rows.count) code = answer_ballots(answer, &batch, &open);
  } while (!code && open && !answer->reader.is_finished);
  rows_free(&rows);
  free(votes);
  return code;
}

/* Teachers: the public rows give the scale, the private ones the lessons. */
static int answer_teach(struct answer *answer) {
  struct training *recipe = &answer->recipe;
  struct reader_options unlabelled = {.labels = LABELS_IGNORE};
  struct rows all;
  int code = EXIT_OK;
  if (recipe->request.public_path) {
    code = reader_load(&all, recipe->request.public_path, &recipe->encoding, &unlabelled);
    if (code) return code;
    learner_fit(&recipe->learner, &all, recipe->encoding.classes.count);
    rows_free(&all);
  }
  return training_load(recipe);
}

/* Opens what will be asked, so that a wrong file is found before anything is spent. */
static int answer_open(struct answer *answer) {
  struct reader_options options = {.labels = LABELS_IGNORE};
  int code;
  if (answer->votes_path) {
    code = ballots_open(&answer->ballots, answer->votes_path, &answer->classes, answer->meaning);
    answer->has_ballots = !code;
    if (!code) answer_map(answer);
  } else {
    code = reader_open(&answer->reader, answer->queries_path, &answer->recipe.encoding, &options);
    answer->has_reader = !code;
  }
  return code;
}

static int answer_run(struct answer *answer) {
  struct training *recipe = &answer->recipe;
  struct output output = {0};
  int code, finish;
  if (answer->votes_path) {
    if (recipe->is_seeded)
      coins_seed(&recipe->coins, recipe->seed);
    else
      coins_init(&recipe->coins);
    code = classes_parse(&answer->classes, recipe->request.classes);
    answer->names = &answer->classes;
  } else {
    code = training_prepare(recipe);
    answer->names = &recipe->encoding.classes;
    if (!code) code = answer_teach(answer);
  }
  if (!code) code = answer_texts(answer);
  if (!code) code = answer_open(answer);
  if (!code) code = training_plan(recipe);
  if (!code && answer->output_path) code = output_open(&output, answer->output_path);
  if (code) return code;
  training_warn(recipe);
  answer->out = answer->output_path ? output.stream : stdout;
  code = session_open(&answer->session, &recipe->session, &recipe->coins);
  if (!code) code = session_begin(&answer->session, &recipe->session, &recipe->plan, answer->names->count);
  if (!code && !answer->votes_path) code = training_teach(recipe, NULL);
  if (!code) {
    answer->session.out = answer->out;
    answer->session.source = answer->votes_path;
    fputs("id,answer\n", answer->out);
    code = answer->votes_path ? answer_votes(answer) : answer_queries(answer);
    /* Whatever went wrong, what was answered stays answered and an unused reservation goes back. */
    finish = session_finish(&answer->session);
    if (!code) code = finish;
    answer->is_closed = session_left(&answer->session) == 0;
  }
  if (answer->output_path && code)
    output_discard(&output);
  else if (answer->output_path)
    code = output_commit(&output);
  if (!code && answer->is_closed)
    error_note("the budget is closed: all %u silences are used; %" PRIu64 " labels and %" PRIu64 " silences now",
               plan_limit(&recipe->plan), answer->session.labels, answer->session.silences);
  else if (!code)
    error_note("%" PRIu64 " labels and %" PRIu64 " silences; %u of %u silences left", answer->session.labels,
               answer->session.silences, session_left(&answer->session), plan_limit(&recipe->plan));
  return code;
}

int command_answer(int argc, char **argv) {
  struct answer *answer = calloc(1, sizeof *answer);
  int help = 0, code;
  if (!answer) return error_report(EXIT_SYSTEM, "out of memory");
  training_init(&answer->recipe);
  classes_init(&answer->classes);
  code = answer_parse(argc, argv, answer, &help);
  if (help)
    fputs(answer_help, stdout);
  else {
    if (!code) code = answer_check(answer);
    if (!code) code = answer_run(answer);
  }
  if (answer->map) munmap(answer->map, answer->map_size);
  if (answer->has_ballots) ballots_close(&answer->ballots);
  if (answer->has_reader) reader_close(&answer->reader);
  session_shut(&answer->session);
  free(answer->text);
  free(answer->start);
  training_free(&answer->recipe);
  classes_free(&answer->classes);
  free(answer);
  return code;
}
