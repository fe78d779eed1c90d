/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * This process as one rank of many. Until MPI_Init nobody knows the other ranks, and the logs are
 * in a folder of the process's own; then rank 0 makes the folder of the run, and each rank moves
 * its own there. Who cannot see rank 0's folder (another machine, no shared file system) makes one
 * of that name where it is, to be gathered later.
 */
#include "event.h"
#include "shared/rank-mark.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_PATH = 4096 };

bool pomp_rank_speaks(void)
{
	const struct pomp_ranks *ranks = pomp_process.rank.ranks;

	/* Before MPI_Init nobody knows who he is: what concerns all is told there. */
	return ranks != NULL ? ranks->rank == 0 : !pomp_process.rank.announced;
}

char *pomp_rank_path(void)
{
	char *path = NULL;

	return asprintf(&path, "%s/" TRACE_LOG_RANK, pomp_process.rank.folder,
		   pomp_process.rank.ranks->rank) < 0
		   ? NULL
		   : path;
}

char *pomp_rank_part(char *wanted)
{
	char host[256] = "", *part = NULL;

	gethostname(host, sizeof(host) - 1);
	if (asprintf(&part, "%s.%s-%ld", wanted, host, (long)pomp_process.pid) < 0)
		part = NULL;
	free(wanted);
	return part;
}

struct pomp_rank_state pomp_rank_announce(void)
{
	struct pomp_rank_state state = {0};

	if (!pomp_process_start())
		return state;
	pomp_process.rank.announced = true;
	state.measures = pomp_process.settings.mpi;
	state.logs = pomp_process.settings.tracing;
	state.clock_sync = pomp_process.settings.clock_sync * 1000000000u;
	return state;
}

void pomp_rank_alone(void)
{
	struct pomp_experiment *experiment = &pomp_process.experiment;

	if (!pomp_process.rank.announced || experiment->path == NULL)
		return;
	pomp_process.rank.announced = false;
	char *wanted = pomp_experiment_make(&(struct trace_log_ranks){TRACE_LOG_MAGIC, 1});
	if (wanted == NULL)
		return;
	/* Onto a folder that is empty again: should another process take it now, this one stays. */
	pomp_rank_mark_remove(wanted);
	if (rename(experiment->path, wanted) == 0) {
		store_release(&experiment->path, wanted);
	} else {
		rmdir(wanted);
		free(wanted);
	}
}

/* Leaves the mark by which the others know the folder. */
static void write_mark(const char *folder, const struct trace_log_ranks *mark)
{
	if (!pomp_rank_mark_write(folder, mark))
		pomp_experiment_trouble(TRACE_LOG_RANKS, errno);
}

static bool sees_mark(const char *folder, const struct trace_log_ranks *mark)
{
	struct trace_log_ranks found = {0};

	return pomp_rank_mark_read(folder, &found) && memcmp(&found, mark, sizeof(found)) == 0;
}

/* Moves the folder that this rank had until now into that of all. Process lock held. */
static void move_in(void)
{
	struct pomp_experiment *experiment = &pomp_process.experiment;
	char *path = pomp_rank_path();

	if (path == NULL)
		return;
	if (experiment->path == NULL) {
		free(path);
		experiment->unusable = false;
		pomp_experiment_open();
	} else if (rename(experiment->path, path) == 0) {
		/* The old string stays: who maps windows ahead may be reading it. */
		store_release(&experiment->path, path);
	} else {
		fprintf(stderr, "pomp: %s: cannot be moved to '%s': %s\n", experiment->path, path,
		    strerror(errno));
		free(path);
	}
}

/* All ranks: rank 0 makes the folder, the others find it. Returns whether this rank sees it. */
static bool agree_on_folder(const struct pomp_ranks *ranks)
{
	struct {
		char path[LONGEST_PATH];
		struct trace_log_ranks mark;
	} agreed = {0};
	bool seen = true;

	if (ranks->rank == 0) {
		agreed.mark = (struct trace_log_ranks){TRACE_LOG_MAGIC, ranks->size};
		if (getrandom(&agreed.mark.token, sizeof(agreed.mark.token), GRND_NONBLOCK) < 0)
			agreed.mark.token = pomp_clock_ticks(&pomp_process.clock);
		char *made = pomp_experiment_make(&agreed.mark);
		if (made != NULL && strlen(made) < LONGEST_PATH)
			strcpy(agreed.path, made);
		free(made);
	}
	if (ranks->broadcast(&agreed, sizeof(agreed), 0) != 0 || agreed.path[0] == '\0') {
		pomp_process.experiment.unusable = pomp_process.experiment.path == NULL;
		return false;
	}
	if (ranks->rank != 0) {
		seen = sees_mark(agreed.path, &agreed.mark);
		if (!seen && (pomp_folder_make(agreed.path) || errno == EEXIST))
			write_mark(agreed.path, &agreed.mark);
	}
	pomp_process.rank.folder = strdup(agreed.path);
	if (pomp_process.rank.folder != NULL)
		move_in();
	return seen && pomp_process.rank.folder != NULL && pomp_process.experiment.path != NULL;
}

/* Every rank has a location, even one that has no event: OTF2 knows ranks by theirs. */
static void open_own_log(void)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	if (thread->log.cursor == NULL && thread->log.enabled)
		pomp_log_make_room(thread);
	pomp_event_drop(thread);
}

void pomp_rank_start(const struct pomp_ranks *ranks)
{
	struct pomp_process *process = &pomp_process;
	bool measures = load_acquire(&pomp_state) == POMP_STATE_ON;
	bool profiles = measures && process->settings.profiling;
	uint64_t sums[3] = {measures, measures && process->settings.tracing, profiles};

	/* Where not all are measured in the same way, each is for itself, as without MPI. */
	if (ranks->sum(sums, 3) != 0 || sums[0] != ranks->size || sums[2] % ranks->size != 0)
		return;
	pomp_lock_process();
	process->rank.ranks = ranks;
	uint64_t seen = 0;
	if (sums[1] == ranks->size)
		seen = agree_on_folder(ranks);
	pomp_unlock_process();
	if (sums[1] == ranks->size) {
		open_own_log();
		process->rank.gathered = ranks->sum(&seen, 1) == 0 && seen == ranks->size;
		process->rank.traces = process->rank.folder != NULL;
	}
}

uint64_t pomp_rank_clock(void)
{
	return pomp_clock_boot() * 2 + pomp_process.clock.counter;
}

uint64_t pomp_rank_ticks(void)
{
	return pomp_clock_ticks(&pomp_process.clock);
}

void pomp_rank_finish(void)
{
	pomp_process_report();
	pomp_process.rank.ranks = NULL;
}

void pomp_rank_lost(void)
{
	if (pomp_process.rank.ranks == NULL)
		return;
	pomp_process.rank.lost = true;
	pomp_process_report();
	pomp_process.rank.ranks = NULL;
}
