/* The head of a .npy file (format 1.0), for arrays that are written as they come. */
#ifndef DATA_NPY_WRITE_H
#define DATA_NPY_WRITE_H

#include <stdio.h>

/* `type` as NumPy spells it ("<f4", "|u1"), `shape` likewise ("(3, 4)", "(3,)"). The stream's own error flag tells whether
 * it arrived. */
void npy_write_head(FILE *stream, const char *type, const char *shape);

#endif
