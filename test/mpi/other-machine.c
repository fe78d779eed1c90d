/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loaded before a rank (LD_PRELOAD), makes it look like one of another machine: another name,
 * another boot, and a clock that is seconds ahead, 200 ppm too fast, and changes its pace: in each
 * second it goes 60 us ahead of that and back, which no comparison of once a second sees. For
 * POMP_TIMER=clock_gettime.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PERIOD = 1000000000, MOST_AHEAD = 60000 }; /* nanoseconds */

#pragma GCC visibility push(default)
int gethostname(char *name, size_t size);
int clock_gettime(clockid_t clock, struct timespec *time);
int open(const char *path, int flags, ...);
#pragma GCC visibility pop

int gethostname(char *name, size_t size)
{
	strncpy(name, "another", size);
	return 0;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
	static int64_t first;
	int result = (int)syscall(SYS_clock_gettime, clock, time);

	if (result != 0 || clock != CLOCK_MONOTONIC)
		return result;
	int64_t now = (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
	if (first == 0)
		first = now;
	int64_t run = now - first, place = run % PERIOD;
	int64_t ahead = (place < PERIOD / 2 ? place : PERIOD - place) * 2 * MOST_AHEAD / PERIOD;
	now += 7000000000 + run / 5000 + ahead;
	time->tv_sec = now / 1000000000;
	time->tv_nsec = now % 1000000000;
	return 0;
}

int open(const char *path, int flags, ...)
{
	va_list rest;

	va_start(rest, flags);
	mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
	va_end(rest);
	if (strcmp(path, "/proc/sys/kernel/random/boot_id") == 0)
		path = "/proc/version";
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
