round.o: core/round.c core/round.h
core/round.h:
