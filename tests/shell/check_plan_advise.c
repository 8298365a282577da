#include "base/error.h"
#include "plan/plan_advise.h"
#include "plan/plan_meter.h"
#include "support/plans.h"
#include "support/scratch.h"

START_TEST(test_advice) {
  struct plan_setting setting = {20000, 5000, 0, 0};
  struct plan_target target;
  struct plan_box box;
  uint32_t teachers = 0;
  plans_target(&target, "2", "1e-5", 0);
  ck_assert_int_eq(plan_advise(&target, &setting, &teachers), 0);
  ck_assert_uint_ge(target.silences, 1);
  ck_assert_uint_le(teachers, 500);
  ck_assert_int_eq(plan_meter_make(&target, NULL, &box), 0);
  ck_assert_uint_le(plan_teachers(&box, 0.9, 0.05), teachers + 5);
  plan_free(&box);
  /* Data in plenty: as many silences as the queries can use. */
  setting.records = 10000000;
  ck_assert_int_eq(plan_advise(&target, &setting, &teachers), 0);
  ck_assert_uint_eq(target.silences, 605);
  setting.records = 100;
  ck_assert_int_eq(plan_advise(&target, &setting, &teachers), EXIT_REFUSED);
}
END_TEST

SCRATCH_MAIN("plan_advise", test_advice)
