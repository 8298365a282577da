certify_noise.o: core/certify_noise.c core/certify_noise.h core/certify.h \
 core/plan.h core/noise.h core/status.h core/round.h core/certify_total.h
core/certify_noise.h:
core/certify.h:
core/plan.h:
core/noise.h:
core/status.h:
core/round.h:
core/certify_total.h:
