noise.o: core/noise.c core/noise.h core/status.h
core/noise.h:
core/status.h:
