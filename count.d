count.o: core/count.c core/count.h core/certify_noise.h core/certify.h \
 core/plan.h core/noise.h core/status.h core/round.h
core/count.h:
core/certify_noise.h:
core/certify.h:
core/plan.h:
core/noise.h:
core/status.h:
core/round.h:
