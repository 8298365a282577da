poll.o: core/poll.c core/poll.h core/ballot.h core/status.h \
 core/certify.h core/plan.h core/noise.h core/round.h core/named.h
core/poll.h:
core/ballot.h:
core/status.h:
core/certify.h:
core/plan.h:
core/noise.h:
core/round.h:
core/named.h:
