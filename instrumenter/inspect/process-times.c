/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads /proc/PID/stat of all processes. Those that begin or end meanwhile may be missing once; a
 * process whose parent has ended belongs to the one that adopted it (child/descendants.h).
 */
#include "process-times.h"

#include "process-stat.h"
#include "shared/array.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct process {
	pid_t id, parent;
	uint64_t ticks;
};

struct processes {
	struct process *all;
	size_t count, room;
};

static bool add_process(void *context, pid_t number)
{
	struct processes *processes = context;
	struct process_stat stat;

	if (!process_stat_read(number, &stat))
		return true;
	const struct process process = {number, stat.parent, stat.time + stat.children_time};
	return ARRAY_PUSH(processes->all, processes->count, processes->room, process);
}

/* How many threads of the process run, or wait for a processor. */
struct runnable {
	pid_t process;
	size_t count;
};

static bool count_runnable(void *context, pid_t thread)
{
	struct runnable *runnable = context;
	struct process_stat stat;

	runnable->count += thread_stat_read(runnable->process, thread, &stat) && stat.state == 'R';
	return true;
}

static void add(struct process_times *times, const struct process *process, uint64_t *ticks)
{
	if (times->count == PROCESS_TIMES_MOST)
		return;
	times->process_seconds[times->count] = (double)process->ticks / process_tick_rate();
	times->processes[times->count++] = process->id;
	*ticks += process->ticks;
}

void process_times_read(pid_t root, struct process_times *times)
{
	struct processes processes = {.all = NULL};
	uint64_t ticks = 0;

	times->count = 0;
	processes_visit(add_process, &processes);
	for (size_t i = 0; i < processes.count; i++)
		if (processes.all[i].id == root)
			add(times, &processes.all[i], &ticks);
	/* The list grows while it is walked, until the children of all are in it. */
	for (size_t parent = 0; parent < times->count; parent++)
		for (size_t i = 0; i < processes.count; i++)
			if (processes.all[i].parent == times->processes[parent])
				add(times, &processes.all[i], &ticks);
	times->seconds = (double)ticks / process_tick_rate();
	times->runnable = 0;
	for (size_t i = 0; i < times->count; i++) {
		struct runnable runnable = {times->processes[i], 0};
		threads_visit(runnable.process, count_runnable, &runnable);
		times->runnable += runnable.count;
	}
	free(processes.all);
}
