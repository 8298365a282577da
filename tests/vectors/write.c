/* Where the text goes: standard output by the C library, or without one by the kernel's own call, or to who runs WebAssembly. */
#include "write.h"

#if defined(__wasm__) || defined(__i386__) || defined(__arm__)
/* What compilers call where there is no C library; the division of 64 bits is in the compiler's own library. */
void *memset(void *to, int byte, __SIZE_TYPE__ count) {
  for (volatile char *t = to; count; count--)
    *t++ = (char)byte;
  return to;
}

void *memcpy(void *to, const void *from, __SIZE_TYPE__ count) {
  volatile char *t = to;
  for (const char *f = from; count; count--)
    *t++ = *f++;
  return to;
}

int raise(int signal) { /* of a division by zero on ARM */
  return signal;
}
#endif

#if defined(__wasm__)
__attribute__((import_module("host"), import_name("put"))) void host_put(uint32_t byte);

void write_byte(char byte) {
  host_put((uint8_t)byte);
}

__attribute__((export_name("run"))) void run(void) {
  vectors();
}
#elif defined(__i386__) || defined(__arm__)
static void call(uint32_t number, uint32_t first, const void *second, uint32_t third) {
#if defined(__i386__)
  uint32_t result = number;
  __asm__ volatile("int $0x80" : "+a"(result) : "b"(first), "c"(second), "d"(third) : "memory");
#else
  register uint32_t r7 __asm__("r7") = number, r0 __asm__("r0") = first, r2 __asm__("r2") = third;
  register const void *r1 __asm__("r1") = second;
  __asm__ volatile("svc 0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2) : "memory");
#endif
}

static char waiting[4096];
static uint32_t count;

static void flush(void) {
  call(4, 1, waiting, count); /* write */
  count = 0;
}

void write_byte(char byte) {
  waiting[count++] = byte;
  if (count == sizeof waiting) flush();
}

void _start(void) {
  vectors();
  flush();
  call(1, 0, waiting, 0); /* exit */
}
#else
#include <stdio.h>

void write_byte(char byte) {
  putchar(byte);
}

int main(void) {
  vectors();
  return fflush(stdout) != 0;
}
#endif
