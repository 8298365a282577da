#include "data/npy.h"

#include <stdint.h>

#include "base/error.h"
#include "support/scratch.h"

static const char *parse(const char *text, struct npy *npy) {
  return npy_parse(npy, text, strlen(text));
}

START_TEST(test_header) {
  struct npy npy;
  ck_assert_ptr_null(parse("{'descr': '|u1', 'fortran_order': False, 'shape': (3, 4), }      \n", &npy));
  ck_assert_int_eq(npy.type, NPY_U8);
  ck_assert_uint_eq(npy.item, 1);
  ck_assert_uint_eq(npy.rows, 3);
  ck_assert_uint_eq(npy.columns, 4);
  ck_assert_ptr_null(parse("{\"shape\":(0,2,),\"fortran_order\":False,\"descr\":\"<f8\"}", &npy));
  ck_assert_int_eq(npy.type, NPY_F64);
  ck_assert_uint_eq(npy.rows, 0);
  ck_assert_int_eq(npy.dimensions, 2);
  ck_assert_int_eq(npy_matrix(&npy, "x"), EXIT_OK);
  ck_assert_ptr_null(parse("{'descr': '|b1', 'fortran_order': False, 'shape': (5,), }", &npy));
  ck_assert_int_eq(npy.type, NPY_U8);
  ck_assert_uint_eq(npy.rows, 5);
  ck_assert_uint_eq(npy.columns, 1);
  scratch_expect(EXIT_INPUT, npy_matrix(&npy, "x"), "x: the .npy array does not have two dimensions");
}
END_TEST

START_TEST(test_refuses_headers) {
  static const struct {
    const char *text, *cause;
  } bad[] = {{"", "not a dictionary"},
             {"[]", "not a dictionary"},
             {"{'descr': '|u1', 'fortran_order': True, 'shape': (3, 4), }", "Fortran"},
             {"{'descr': '>u2', 'fortran_order': False, 'shape': (3, 4), }", "little-endian"},
             {"{'descr': '|O', 'fortran_order': False, 'shape': (3, 4), }", "little-endian"},
             {"{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (3, 4), }", "compound"},
             {"{'descr': '|u1', 'fortran_order': False, 'shape': (), }", "two dimensions"},
             {"{'descr': '|u1', 'fortran_order': False, 'shape': (3), }", "two dimensions"},
             {"{'descr': '<U3', 'fortran_order': False, 'shape': (3,), }", "little-endian"},
             {"{'descr': '|u1', 'fortran_order': False, 'shape': (3, 4, 5), }", "two dimensions"},
             {"{'descr': '|u1', 'fortran_order': False, 'shape': (-3, 4), }", "two dimensions"},
             {"{'descr': '|u1', 'fortran_order': False, 'shape': (3, 0), }", "no columns"},
             {"{'descr': '|u1', 'fortran_order': False, 'shape': (3, 99999999999999999999), }", "two dimensions"},
             {"{'descr': '<u8', 'fortran_order': False, 'shape': (9999999999999999, 4294967295), }", "impossible"},
             {"{'descr': '|u1', 'fortran_order': False, 'shape': (1, 4294967296), }", "impossible"},
             {"{'descr': '|u1', 'fortran_order': False}", "lacks"},
             {"{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': (3, 4)}", "doubled"},
             {"{'other': 1}", "unknown"},
             {"{'descr': '|u1', 'fortran_order': False, 'shape': (3, 4)} x", "malformed"},
             {"{'descr': '|u1' 'fortran_order': False, 'shape': (3, 4)}", "malformed"},
             {"{'descr", "malformed"},
             {"{'descr': '|u1', 'fortran_order': 0, 'shape': (3, 4)}", "malformed"}};
  struct npy npy;
  size_t i;
  for (i = 0; i < sizeof bad / sizeof *bad; i++) {
    const char *cause = parse(bad[i].text, &npy);
    ck_assert_msg(cause && strstr(cause, bad[i].cause), "%s: %s", bad[i].text, cause ? cause : "accepted");
  }
}
END_TEST

static int try_open(const void *bytes, size_t length) {
  struct stream stream;
  struct npy npy;
  int code;
  scratch_write("a.npy", bytes, length);
  ck_assert_int_eq(stream_open(&stream, "a.npy"), EXIT_OK);
  code = npy_open(&npy, &stream);
  stream_close(&stream);
  return code;
}

#define TRY(bytes) try_open(bytes, sizeof(bytes) - 1)
#define HEADER     "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 4)}\n" /* 0x3a bytes */

START_TEST(test_files) {
  ck_assert_int_eq(TRY("\x93NUMPY\x01\0\x3a\0" HEADER "abcd"), EXIT_OK);
  ck_assert_int_eq(TRY("\x93NUMPY\x02\0\x3a\0\0\0" HEADER "abcd"), EXIT_OK);
  scratch_expect(EXIT_INPUT, TRY("\x93NUMPY"), "not a .npy file");
  scratch_expect(EXIT_INPUT, TRY("\x93NUMPX\x01\0\x3a\0"), "not a .npy file");
  scratch_expect(EXIT_INPUT, TRY("\x93NUMPY\x04\0\x3a\0" HEADER), "format 4.0 is not known");
  scratch_expect(EXIT_INPUT, TRY("\x93NUMPY\x02\0\x3a\0\0"), "cut off");
  scratch_expect(EXIT_INPUT, TRY("\x93NUMPY\x02\0\xff\xff\xff\xff"), "header of 4294967295 bytes");
  scratch_expect(EXIT_INPUT, TRY("\x93NUMPY\x01\0\x3a\0{'descr"), "cut off");
  scratch_expect(EXIT_INPUT, TRY("\x93NUMPY\x01\0\x3a\0" HEADER "abc"), "71 bytes, but the .npy header asks for 72");
  scratch_expect(EXIT_INPUT, TRY("\x93NUMPY\x01\0\x3a\0" HEADER "abcde"), "asks for 72");
}
END_TEST

#define WHOLE(type, c, number, wanted)                                                                                 \
  do {                                                                                                                 \
    c cell = number;                                                                                                   \
    uint32_t got = 77;                                                                                                 \
    ck_assert_int_eq(npy_whole(type, &cell, &got), wanted < 0 ? -1 : 0);                                               \
    if (wanted >= 0) ck_assert_uint_eq(got, (uint32_t)wanted);                                                         \
  } while (0)

START_TEST(test_cells) {
  WHOLE(NPY_U8, uint8_t, 255, 255);
  WHOLE(NPY_U16, uint16_t, 65535, 65535);
  WHOLE(NPY_U32, uint32_t, UINT32_MAX, (int64_t)UINT32_MAX);
  WHOLE(NPY_U64, uint64_t, 250, 250);
  WHOLE(NPY_U64, uint64_t, UINT64_C(1) << 32, -1);
  WHOLE(NPY_I8, int8_t, -1, -1);
  WHOLE(NPY_I16, int16_t, 300, 300);
  WHOLE(NPY_I32, int32_t, -5, -1);
  WHOLE(NPY_I64, int64_t, 250, 250);
  WHOLE(NPY_I64, int64_t, INT64_MIN, -1);
  WHOLE(NPY_F32, float, 12.0f, 12);
  WHOLE(NPY_F64, double, 250.0, 250);
  WHOLE(NPY_F64, double, 0.5, -1);
  WHOLE(NPY_F64, double, -1.0, -1);
  WHOLE(NPY_F64, double, 0.0 / 0.0, -1);
  WHOLE(NPY_F64, double, 1e300, -1);
}
END_TEST

#define NUMBER(type, c, number)                                                                                        \
  do {                                                                                                                 \
    c cell = number;                                                                                                   \
    ck_assert_double_eq(npy_number(type, &cell), (double)cell);                                                        \
  } while (0)

START_TEST(test_numbers) {
  NUMBER(NPY_U8, uint8_t, 255);
  NUMBER(NPY_I8, int8_t, -128);
  NUMBER(NPY_I8, int8_t, 127);
  NUMBER(NPY_U16, uint16_t, 65535);
  NUMBER(NPY_I16, int16_t, -2);
  NUMBER(NPY_U32, uint32_t, UINT32_MAX);
  NUMBER(NPY_I32, int32_t, INT32_MIN);
  NUMBER(NPY_U64, uint64_t, UINT64_MAX);
  NUMBER(NPY_I64, int64_t, -1);
  NUMBER(NPY_F32, float, -0.1f);
  NUMBER(NPY_F64, double, 1e300);
}
END_TEST

SCRATCH_MAIN("npy", test_header, test_refuses_headers, test_files, test_cells, test_numbers)
