partition.o: core/partition.c core/partition.h core/ballot.h \
 core/status.h
core/partition.h:
core/ballot.h:
core/status.h:
