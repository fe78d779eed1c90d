/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Implements mpi-connection.h for the MPI whose mpi.h it is compiled with. MPI's own waits occupy a
 * processor; another process of the job may need it, so this file looks now and then instead.
 */
#include "mpi-connection.h"

#include <limits.h>
#include <mpi.h>
#include <time.h>

/* A message travels in parts of this many bytes, because MPI counts with int. */
enum { PART_MOST = 1 << 26, TAG_SIZE = 1, TAG_BYTES = 2 };

/*
 * The first waits are short, so that small answers come at once; later ones are a quarter of the
 * time waited so far, so that processes that answer each other in turn lose little time.
 */
static void wait_longer(long *nanoseconds)
{
	struct timespec pause = {0, *nanoseconds};

	nanosleep(&pause, NULL);
	if (*nanoseconds < 2000000)
		*nanoseconds += *nanoseconds / 4;
}

static void finish(MPI_Request *request)
{
	long pause = 10000;
	int done = 0;

	for (;;) {
		MPI_Test(request, &done, MPI_STATUS_IGNORE);
		if (done)
			return;
		wait_longer(&pause);
	}
}

static int begin(int *index, int *count)
{
	int provided;

	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
		return -1;
	MPI_Comm_rank(MPI_COMM_WORLD, index);
	MPI_Comm_size(MPI_COMM_WORLD, count);
	return 0;
}

static void end(void)
{
	MPI_Finalize();
}

static void end_all(int status)
{
	MPI_Abort(MPI_COMM_WORLD, status);
}

static void send_part(int to, const void *bytes, size_t size, int tag)
{
	MPI_Request request;

	MPI_Isend(bytes, (int)size, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
	finish(&request);
	/* NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): finish() waits for it */
}

static void receive_part(int from, void *bytes, size_t size, int tag)
{
	MPI_Request request;

	MPI_Irecv(bytes, (int)size, MPI_BYTE, from, tag, MPI_COMM_WORLD, &request);
	finish(&request);
	/* NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): finish() waits for it */
}

static void send_bytes(int to, const void *bytes, size_t size)
{
	const char *from = bytes;

	send_part(to, &size, sizeof(size), TAG_SIZE);
	for (size_t at = 0; at < size; at += PART_MOST)
		send_part(to, from + at, size - at < PART_MOST ? size - at : PART_MOST, TAG_BYTES);
}

static size_t next_size(int from)
{
	size_t size = 0;

	receive_part(from, &size, sizeof(size), TAG_SIZE);
	return size;
}

static void receive_bytes(int from, void *bytes, size_t size)
{
	char *to = bytes;

	for (size_t at = 0; at < size; at += PART_MOST)
		receive_part(
		    from, to + at, size - at < PART_MOST ? size - at : PART_MOST, TAG_BYTES);
}

__attribute__((visibility("default"))) const struct mpi_connection ompreport_mpi_connection = {
    begin, end, end_all, send_bytes, next_size, receive_bytes};
