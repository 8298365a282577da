/* What the vectors are written with, on machines with a C library and on those without. */
#ifndef VECTORS_WRITE_H
#define VECTORS_WRITE_H

#include <stdint.h>

void write_byte(char byte);

/* Writes all of them. */
void vectors(void);

#endif
