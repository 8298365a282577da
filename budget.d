budget.o: core/budget.c core/budget.h core/meter.h core/ballot.h \
 core/status.h core/certify.h core/plan.h core/noise.h core/round.h \
 core/toll.h core/named.h
core/budget.h:
core/meter.h:
core/ballot.h:
core/status.h:
core/certify.h:
core/plan.h:
core/noise.h:
core/round.h:
core/toll.h:
core/named.h:
