classic.o: core/classic.c core/classic.h core/ballot.h core/status.h \
 core/certify.h core/plan.h core/noise.h core/round.h core/meter.h
core/classic.h:
core/ballot.h:
core/status.h:
core/certify.h:
core/plan.h:
core/noise.h:
core/round.h:
core/meter.h:
