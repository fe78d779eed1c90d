/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The folder of the logs moves while another thread opens a log's file by its name, because the
 * program has closed the descriptor: that thread finds the complete old name or the complete new
 * one. Bounds: two threads, a program of one rank.
 */
#include "check.h"
#include "library.h"
#include "rank-state.h"
#include "own-rank.h"
#include "shared/ranks.h"
#include "window.h"

#include <unistd.h>

static struct pomp_log log_of_thread = {.file.descriptor = -1, .enabled = true};

static void open_again(void *unused)
{
	(void)unused;
	pomp_window_file_is_ready(&log_of_thread);
}

/* A log whose file is there, and a folder that has the name of one process's. */
static void prepare(void)
{
	library_traces();
	pomp_process.settings.directory = "wanted";
	EXPECT(pomp_log_make_room(&log_of_thread, 0, 1));
	close(log_of_thread.file.descriptor);
	pomp_rank.announced = true;
	check_start(open_again, NULL);
}

static void without_mpi(void)
{
	const char *before;

	prepare();
	before = load_relaxed(&pomp_experiment.path);
	pomp_lock_process();
	pomp_rank_without_mpi();
	pomp_unlock_process();
	EXPECT(load_relaxed(&pomp_experiment.path) != before);
	check_join();
}
HARNESS(pomp_folders_without_mpi, "the folder moves because MPI was not started") = {
    .run = without_mpi};

static int broadcast(const struct pomp_ranks *ranks, void *data, size_t bytes, uint32_t root)
{
	(void)ranks;
	(void)data;
	(void)bytes;
	(void)root;
	return 0;
}

static int sum(const struct pomp_ranks *ranks, uint64_t *values, int count)
{
	(void)ranks;
	(void)values;
	(void)count;
	return 0;
}

static int before(const struct pomp_ranks *ranks, uint64_t *values, int count)
{
	(void)ranks;
	for (int i = 0; i < count; i++)
		values[i] = 0;
	return 0;
}

static const struct pomp_ranks alone = {
    .size = 1, .program_size = 1, .broadcast = broadcast, .sum = sum, .before = before};

static void of_rank(void)
{
	const char *old;

	prepare();
	old = load_relaxed(&pomp_experiment.path);
	EXPECT(pomp_rank_start(&alone).traced == &alone);
	EXPECT(load_relaxed(&pomp_experiment.path) != old);
	check_join();
}
HARNESS(pomp_folders_of_rank, "the folder moves because MPI was started") = {.run = of_rank};
