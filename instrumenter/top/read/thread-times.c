/* SPDX-License-Identifier: BSD-3-Clause */
/* schedstat has nanoseconds; kernels that were built without it have ticks in stat. */
#include "thread-times.h"

#include "process-stat.h"
#include "shared/read-text.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

bool thread_times_read(pid_t process, pid_t thread, struct thread_times *times)
{
	char path[96], text[128];
	struct process_stat stat;

	*times = (struct thread_times){0};
	snprintf(path, sizeof path, "/proc/%ld/task/%ld/schedstat", (long)process, (long)thread);
	if (read_text(path, text, sizeof text))
		return sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &times->run, &times->delay,
			   &times->slices) == 3;
	if (!thread_stat_read(process, thread, &stat))
		return false;
	times->run = (uint64_t)((double)stat.time * 1e9 / process_tick_rate());
	return true;
}

uint64_t process_start_time(pid_t process)
{
	struct process_stat stat;

	if (!process_stat_read(process, &stat))
		return 0;
	bool has_ended = (stat.state == 'Z' || stat.state == 'X') &&
			 stat.threads <= 1; /* else only its first thread has */
	return has_ended ? 0 : stat.start;
}

uint64_t clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
