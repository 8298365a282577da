named.o: core/named.c core/named.h core/plan.h core/noise.h core/status.h \
 core/round.h
core/named.h:
core/plan.h:
core/noise.h:
core/status.h:
core/round.h:
