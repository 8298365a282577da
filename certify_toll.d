certify_toll.o: core/certify_toll.c core/certify_total.h core/certify.h \
 core/plan.h core/noise.h core/status.h core/round.h
core/certify_total.h:
core/certify.h:
core/plan.h:
core/noise.h:
core/status.h:
core/round.h:
