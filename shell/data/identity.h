/* Which records a path names, and whether two paths share records. A path is as the readers take it: FILE,
 * FILE,LABELS@FIRST:LAST or "-". */
#ifndef DATA_IDENTITY_H
#define DATA_IDENTITY_H

#include "base/digest.h"

/* Each returns an exit code (error.h). */

/* The file alone, without labels and range; to be freed. */
int identity_file(const char *path, char **file);

/* The file of labels that goes with it, and the range as it was written ("" if there is none); to be freed. *labels NULL: they are
 * in the file itself. */
int identity_labels(const char *path, char **labels);
int identity_range(const char *path, char **range);

/* Adds the records that a path names to a digest: the bytes of its file and of its file of labels, and the range. What is
 * not a plain file is refused in the name of `option`: other processes could not read the same. */
int identity_add(const char *path, const char *option, struct digest *digest);

/* Refuses `other`, given by `option`, if it is the private file: the same file by this or another name or the same bytes,
 * packed or not, with a record in both ranges. Files of labels count too. NULL: there is no such
 * file. */
int identity_apart(const char *path, const char *other, const char *option);

/* The same by names alone: neither file is opened, so that a copy of the private file is not seen. */
int identity_named_apart(const char *path, const char *other, const char *option);

#endif
