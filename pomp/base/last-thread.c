/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Detects the process's last thread: the kernel can be asked, but the C library only counts threads
 * internally.
 */
#include "last-thread.h"

#include "shared/read-text.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool pomp_own_stat(struct pomp_own_stat *stat)
{
	char text[1024];

	if (!read_text("/proc/self/stat", text, sizeof(text)))
		return false;
	/* The program's name, in parentheses, may contain anything. */
	const char *rest = strrchr(text, ')');
	return rest != NULL &&
	       sscanf(rest,
		   ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %ld %*s %" SCNu64,
		   &stat->state, &stat->threads, &stat->start) == 3;
}

/* An initial thread that has ended remains in the kernel's count as a zombie. */
bool pomp_thread_is_last(void)
{
	struct pomp_own_stat stat;

	return pomp_own_stat(&stat) && stat.state == 'Z' && stat.threads == 2;
}

static void *wait_for_ever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

bool pomp_thread_holds_exit(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t all, before;

	if (pthread_attr_init(&attributes) != 0)
		return false;
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	bool made = pthread_create(&thread, &attributes, wait_for_ever, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return made;
}
