/* SPDX-License-Identifier: BSD-3-Clause */
/* A partial write sets no errno: the kernel gives the reason when the rest is written. */
#include "shared/write-whole.h"

#include "limited-calls.h"

#include <errno.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

uint64_t pomp_largest_file(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
		   ? limit.rlim_cur
		   : UINT64_MAX;
}

static sigset_t limit_signal(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGXFSZ);
	return set;
}

struct pomp_held_limit pomp_hold_limit(void)
{
	struct pomp_held_limit held = {.is_held = !pomp_calls_are_limited()};
	sigset_t set = limit_signal(), pending;

	if (!held.is_held)
		return held;
	sigpending(&pending);
	held.was_pending = sigismember(&pending, SIGXFSZ) == 1;
	pthread_sigmask(SIG_BLOCK, &set, &held.before);
	return held;
}

void pomp_release_limit(const struct pomp_held_limit *held)
{
	sigset_t set = limit_signal();
	int error = errno;

	if (!held->is_held)
		return;
	while (!held->was_pending && sigtimedwait(&set, NULL, &(struct timespec){0, 0}) < 0 &&
	       errno == EINTR)
		;
	pthread_sigmask(SIG_SETMASK, &held->before, NULL);
	errno = error;
}

bool pomp_write_whole(int file, const void *data, size_t size, off_t place)
{
	const char *rest = data;

	if ((uint64_t)place + size > pomp_largest_file()) {
		errno = EFBIG;
		return false;
	}
	while (size > 0) {
		ssize_t written = pwrite(file, rest, size, place);
		if (written < 0 && errno == EINTR)
			continue;
		if (written == 0)
			errno = ENOSPC;
		if (written <= 0)
			return false;
		rest += written;
		place += written;
		size -= (size_t)written;
	}
	return true;
}
