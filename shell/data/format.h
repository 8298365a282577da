/* The formats of files with records (votes come in others: ballots.h). */
#ifndef DATA_FORMAT_H
#define DATA_FORMAT_H

enum format { FORMAT_AUTO, FORMAT_CSV, FORMAT_LIBSVM, FORMAT_IDX, FORMAT_NPY };

/* As messages call it: "CSV", "LIBSVM", "idx", ".npy". */
const char *format_name(enum format format);

/* As a schema file writes it: "csv", "libsvm", "idx", "npy"; NULL for FORMAT_AUTO. */
const char *format_keyword(enum format format);

/* The format of that keyword, or FORMAT_AUTO if there is none. */
enum format format_parse(const char *keyword);

#endif
