toll.o: core/toll.c core/toll.h core/ballot.h core/status.h \
 core/certify.h core/plan.h core/noise.h core/round.h core/named.h
core/toll.h:
core/ballot.h:
core/status.h:
core/certify.h:
core/plan.h:
core/noise.h:
core/round.h:
core/named.h:
