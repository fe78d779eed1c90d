/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The thread waits, and starts another for each thing to do:
 *
 *   - The acting thread leaves the program's descriptors (close_range(2)) before it opens files:
 *     the program can neither close them nor meet their numbers.
 *   - The waiting thread keeps the program's descriptors, because exit() may run on it: after main
 *     has ended by pthread_exit(), the process lives as long as its last thread. It therefore ends
 *     when only threads of this library are left.
 *
 * It waits at a number, which a signal handler may raise. The kernel measures the wait's length, so
 * that setting the time of day does not change it.
 */
#include "own-thread.h"

#include "last-thread.h"
#include "limited-calls.h"
#include "pomp-atomics.h"
#include "process-state.h"
#include "shared/read-text.h"
#include "common/control-file.h"
#include "usable-processors.h"

#include <dirent.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { UNSHARE = 1 << 1 /* CLOSE_RANGE_UNSHARE */ };

static struct {
	_Atomic uint32_t changes; /* how often: it shall end, or look at its duties; a futex */
	_Atomic uint32_t ends;    /* bool; stored before the number is raised */
	pthread_mutex_t lock;
	pthread_t thread;
	bool runs;                                  /* under the lock */
	const struct pomp_duty *asked[POMP_DUTIES]; /* written before the thread starts */
	size_t count;                               /* of them */
	sigset_t signals;                           /* blocked by the thread that made this one */
} own = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *act(void *duty)
{
#ifdef SYS_close_range
	syscall(SYS_close_range, 0u, ~0u, UNSHARE);
#endif
	((const struct pomp_duty *)duty)->act();
	return NULL;
}

static void do_duty(const struct pomp_duty *duty)
{
	pthread_t actor;

	if (pomp_thread_start(&actor, pomp_processors(), act, (void *)(uintptr_t)duty) != 0)
		return;
	pthread_setname_np(actor, "pomp-snapshot");
	pthread_join(actor, NULL);
	duty->tell();
}

/* Returns whether the initial thread has ended, and only threads of this library are left. */
static bool is_alone(void)
{
	char path[320], text[1024];
	struct pomp_own_stat stat;
	const struct dirent *entry;

	if (!pomp_own_stat(&stat) || stat.state != 'Z')
		return false;
	DIR *tasks = opendir("/proc/self/task");
	bool is_alone = tasks != NULL;
	while (is_alone && (entry = readdir(tasks)) != NULL) {
		if (entry->d_name[0] == '.' || strtol(entry->d_name, NULL, 10) == pomp_process.pid)
			continue;
		snprintf(path, sizeof(path), "/proc/self/task/%s/comm", entry->d_name);
		is_alone = !read_text(path, text, sizeof(text)) || strncmp(text, "pomp-", 5) == 0;
	}
	if (tasks != NULL)
		closedir(tasks);
	return is_alone;
}

/* Says that something has changed. May be called by a signal handler: errno stays. */
static void change(void)
{
	int error = errno;

	fetch_add_release(&own.changes, 1);
	syscall(SYS_futex, &own.changes, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	errno = error;
}

/* Sleeps until there were more changes than `seen`, but at most a second. */
static void sleep_a_while(uint32_t seen)
{
	const struct timespec second = {.tv_sec = 1};

	syscall(SYS_futex, &own.changes, FUTEX_WAIT_PRIVATE, seen, &second, NULL, 0);
}

/* Acquire: the thread that ends it has stored what it wants before. */
static bool has_to_end(void)
{
	return load_acquire(&own.ends) != 0;
}

static void *wait_and_do(void *unused)
{
	uint32_t seen = 0;

	while (!has_to_end()) {
		sleep_a_while(seen);
		/* What has changed before this is looked at below; what changes later ends the next
		 * sleep. */
		seen = load_acquire(&own.changes);
		if (has_to_end())
			break;
		if (pomp_calls_are_limited() || is_alone()) {
			pthread_mutex_lock(&own.lock);
			if (!has_to_end()) {
				pthread_detach(pthread_self());
				own.runs = false;
			}
			pthread_mutex_unlock(&own.lock);
			break;
		}
		for (size_t i = 0; i < own.count && !has_to_end(); i++)
			if (own.asked[i]->is_due(pomp_clock_monotonic()))
				do_duty(own.asked[i]);
	}
	sigset_t before = own.signals;
	/* This process's exit() may come next, with the signals that were sent to the process. */
	if (pomp_thread_is_last())
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	return unused;
}

static void forget_in_child(void)
{
	pthread_mutex_init(&own.lock, NULL);
	own.runs = false;
}

void pomp_own_thread_start(const struct pomp_duty *const duties[POMP_DUTIES])
{
	const char *name = "pomp-snapshots";
	sigset_t all;

	for (size_t i = 0; i < POMP_DUTIES && duties[i] != NULL; i++)
		if (duties[i]->prepare()) {
			own.asked[own.count++] = duties[i];
			if (duties[i] == &pomp_control_duty)
				name = CONTROL_THREAD;
		}
	if (own.count == 0)
		return;
	pthread_atfork(NULL, NULL, forget_in_child);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &own.signals);
	pthread_mutex_lock(&own.lock);
	own.runs = pomp_thread_start(&own.thread, pomp_processors(), wait_and_do, NULL) == 0;
	if (own.runs)
		pthread_setname_np(own.thread, name);
	pthread_mutex_unlock(&own.lock);
	pthread_sigmask(SIG_SETMASK, &own.signals, NULL);
}

void pomp_own_thread_wake(void)
{
	if (!pomp_calls_are_limited())
		change();
}

void pomp_own_thread_stop(void)
{
	pthread_mutex_lock(&own.lock);
	bool runs = own.runs;
	store_release(&own.ends, 1);
	pthread_mutex_unlock(&own.lock);
	if (runs) {
		change();
		pthread_join(own.thread, NULL);
	}
	own.runs = false;
}
