/* The text form of an encoding: what a person writes as a schema file and what a model file carries.
 *
 *   format csv            a format's keyword (format.h)
 *   delimiter ;           what separates the cells of a CSV file, where it is not a comma: one character, or tab
 *   decimal ,             numbers have a decimal comma
 *   header no             a CSV file without a header: its columns are called 1, 2, ...
 *   label income          the label column
 *   unit patient_nbr      the unit column
 *   class <=50K           the classes, in the order of their labels
 *   class >50K
 *   alias >50K.           another spelling of the class above it
 *   missing -99           another spelling of the empty cell, beside the usual ones (encoding.h)
 *   column age            a column, and below it what it is:
 *     number 17 90          its public range (without numbers: learned from the public file)
 *   column capital-gain
 *     log 0 99999           long-tailed: the logarithm is scaled
 *   column workclass
 *     category              its categories (without any: learned from the public file)
 *     value Private
 *     value State-gov
 *   column admitted
 *     date dmy              ymd, dmy or mdy: which of day, month and year is first; then its range, in days since 1970-01-01
 *   column fnlwgt
 *     skip
 *   features pca 60       raw, hog 28 28, raw+hog 28 28, standard, range or pca N; a further line is a further step
 *
 * One statement a line; a line that starts with # is a remark; the text after the keyword's one space runs to the end
 * of the line, with \\ \n \r \t for a backslash, line feed, carriage return and tab. In a schema file columns that are
 * not named are learned from the public file; without a public file they are not used. */
#ifndef DATA_SCHEMA_H
#define DATA_SCHEMA_H

#include <stdio.h>

#include "data/encoding.h"

/* Reads up to the line "end" (`must_end`) or to the end of the file. The result may be incomplete: columns of kind
 * AUTO or not fitted. Returns an exit code (error.h). */
int schema_read(struct encoding *encoding, FILE *stream, const char *path, int must_end);
int schema_write(const struct encoding *encoding, FILE *stream);

#endif
