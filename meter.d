meter.o: core/meter.c core/meter.h core/ballot.h core/status.h \
 core/certify.h core/plan.h core/noise.h core/round.h
core/meter.h:
core/ballot.h:
core/status.h:
core/certify.h:
core/plan.h:
core/noise.h:
core/round.h:
