#include "data/npy_write.h"

#define NPY_WRITE_LINE  64 /* the cells begin at a multiple of so many bytes */
#define NPY_WRITE_FIXED 10 /* bytes before the text */

void npy_write_head(FILE *stream, const char *type, const char *shape) {
  char text[256];
  int length = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
  int padded = (length + 1 + NPY_WRITE_FIXED + NPY_WRITE_LINE - 1) / NPY_WRITE_LINE * NPY_WRITE_LINE - NPY_WRITE_FIXED;
  fwrite("\x93NUMPY\x01\x00", 1, 8, stream);
  fputc(padded & 255, stream);
  fputc(padded >> 8, stream);
  fprintf(stream, "%-*s\n", padded - 1, text);
}
