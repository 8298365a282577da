/* Bytes a second at which one core reads memory: bench_answer. */
#include <stdio.h>

#include "machine.h"

int main(void) {
  printf("%.0f\n", machine_read_limit((size_t)256 << 20, 7));
  return 0;
}
