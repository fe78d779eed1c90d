/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that lets the others come to where they wait, however busy the machine is: until all of
 * them sleep. In the header, as programs of one file use it, too.
 */
#ifndef LET_OTHERS_H
#define LET_OTHERS_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's word for what a thread does: S is a sleeper. */
static __attribute__((unused)) char state_of(const char *thread)
{
	char path[300], text[512] = "";
	const char *name_end;
	FILE *stat;

	snprintf(path, sizeof(path), "/proc/self/task/%s/stat", thread);
	stat = fopen(path, "r");
	if (stat == NULL)
		return 'S'; /* it has ended */
	text[fread(text, 1, sizeof(text) - 1, stat)] = 0;
	fclose(stat);
	name_end = strrchr(text, ')');
	return name_end != NULL && name_end[1] != 0 ? name_end[2] : '?';
}

static __attribute__((unused)) bool others_sleep(void)
{
	DIR *threads = opendir("/proc/self/task");
	bool all_sleep = threads != NULL;

	for (struct dirent *entry; all_sleep && (entry = readdir(threads)) != NULL;) {
		if (entry->d_name[0] != '.' && atoi(entry->d_name) != syscall(SYS_gettid))
			all_sleep = state_of(entry->d_name) == 'S';
	}
	if (threads != NULL)
		closedir(threads);
	return all_sleep;
}

/*
 * Three times in a row, because a thread that lets others go first sleeps, too. Within
 * ten seconds, times TEST_TIME_LIMITS on a slow machine, every thread comes that ever sleeps.
 */
static __attribute__((noinline, unused)) void let_others(void)
{
	enum { PAUSE = 20000, MOST_PAUSES = 500, ENOUGH = 3 };
	const char *limits = getenv("TEST_TIME_LIMITS");
	int most_pauses = MOST_PAUSES * (limits != NULL && atoi(limits) > 1 ? atoi(limits) : 1);

	for (int i = 0, calm = 0; i < most_pauses && calm < ENOUGH; i++) {
		usleep(PAUSE);
		calm = others_sleep() ? calm + 1 : 0;
	}
}

#endif
