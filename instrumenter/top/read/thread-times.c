/* SPDX-License-Identifier: BSD-3-Clause */
/* schedstat has nanoseconds; kernels that were built without it have ticks in stat. */
#include "thread-times.h"

#include "shared/read-text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { STATE = 3, UTIME = 14, STIME = 15, THREADS = 20, START_TIME = 22, LONGEST_STAT = 1024 };

/* Field `number` of stat, counted from 1 as in proc(5); the name before may contain anything. */
static const char *stat_text(const char *text, int number)
{
	const char *at = strrchr(text, ')');

	for (int i = 2; at != NULL && i < number; i++) {
		at = strchr(at, ' ');
		at = at != NULL ? at + 1 : NULL;
	}
	return at;
}

static uint64_t stat_field(const char *text, int number)
{
	const char *at = stat_text(text, number);
	uint64_t value = 0;

	return at != NULL && sscanf(at, "%" SCNu64, &value) == 1 ? value : 0;
}

static uint64_t tick_nanoseconds(void)
{
	long rate = sysconf(_SC_CLK_TCK);

	return 1000000000u / (uint64_t)(rate > 0 ? rate : 100);
}

bool thread_times_read(pid_t process, pid_t thread, struct thread_times *times)
{
	char path[96], text[LONGEST_STAT];

	*times = (struct thread_times){0};
	snprintf(path, sizeof path, "/proc/%ld/task/%ld/schedstat", (long)process, (long)thread);
	if (read_text(path, text, sizeof text)) {
		times->has_details = true;
		return sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &times->run, &times->delay,
			   &times->slices) == 3;
	}
	snprintf(path, sizeof path, "/proc/%ld/task/%ld/stat", (long)process, (long)thread);
	if (!read_text(path, text, sizeof text))
		return false;
	times->run = (stat_field(text, UTIME) + stat_field(text, STIME)) * tick_nanoseconds();
	return true;
}

uint64_t process_start_time(pid_t process)
{
	char path[64], text[LONGEST_STAT];

	snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
	if (!read_text(path, text, sizeof text))
		return 0;
	const char *state = stat_text(text, STATE);
	bool has_ended = state != NULL && (*state == 'Z' || *state == 'X') &&
			 stat_field(text, THREADS) <= 1; /* else only its first thread has */
	return has_ended ? 0 : stat_field(text, START_TIME);
}
