ballot.o: core/ballot.c core/ballot.h core/status.h
core/ballot.h:
core/status.h:
