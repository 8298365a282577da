/* The plug-in for MPI: build/libfumata-mpi.so, loaded by learn/ranks.c under mpirun. Operations are begun and then asked after,
 * never waited for, so that a rank whose peers are gone can still be told to stop. */
#include <mpi.h>

#include "learn/ranks_engine.h"

static MPI_Request engine_request = MPI_REQUEST_NULL;

static int engine_start(int *rank, int *count) {
  if (MPI_Init(NULL, NULL) != MPI_SUCCESS) return -1;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (MPI_Comm_rank(MPI_COMM_WORLD, rank) != MPI_SUCCESS) return -1;
  return MPI_Comm_size(MPI_COMM_WORLD, count) == MPI_SUCCESS ? 0 : -1;
}

static int engine_send(void *bytes, size_t size, int from) {
  return MPI_Ibcast(bytes, (int)size, MPI_BYTE, from, MPI_COMM_WORLD, &engine_request) == MPI_SUCCESS ? 0 : -1;
}

static int engine_give(void *bytes, size_t size, int from) {
  int rank, failed = MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!failed && rank) failed = MPI_Isend(bytes, (int)size, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &engine_request);
  if (!failed && !rank) failed = MPI_Irecv(bytes, (int)size, MPI_BYTE, from, 0, MPI_COMM_WORLD, &engine_request);
  return failed == MPI_SUCCESS ? 0 : -1;
}

static int engine_add(uint32_t *numbers, size_t count) {
  int rank;
  if (MPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS) return -1;
  return MPI_Ireduce(rank ? numbers : MPI_IN_PLACE, rank ? NULL : numbers, (int)count, MPI_UINT32_T, MPI_SUM, 0,
                     MPI_COMM_WORLD, &engine_request) == MPI_SUCCESS
             ? 0
             : -1;
}

static int engine_test(int *is_done) {
  return MPI_Test(&engine_request, is_done, MPI_STATUS_IGNORE) == MPI_SUCCESS ? 0 : -1;
}

static void engine_stop(void) {
  MPI_Finalize();
}

__attribute__((visibility("default")))
const struct ranks_engine engine_table = {engine_start, engine_send, engine_give, engine_add, engine_test, engine_stop};
