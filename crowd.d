crowd.o: core/crowd.c core/crowd.h core/poll.h core/ballot.h \
 core/status.h core/certify.h core/plan.h core/noise.h core/round.h \
 core/named.h
core/crowd.h:
core/poll.h:
core/ballot.h:
core/status.h:
core/certify.h:
core/plan.h:
core/noise.h:
core/round.h:
core/named.h:
