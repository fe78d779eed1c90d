/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One thread, one queue. Their lock is taken once per window and never by a usual event. This
 * thread never holds it together with the process lock, so the process may be stopped or forked
 * while a window is being made.
 *
 * The thread ends when nothing was ordered for a while, and is started again with the next order:
 * after main has ended, the process lives as long as its last thread, which must not be this one.
 */
#include "ahead.h"

#include "last-thread.h"
#include "event-log.h"
#include "shared/precondition.h"
#include "usable-processors.h"
#include "window.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>

enum { IDLE_LIMIT_NS = 100000000 };

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed; /* something was ordered, or is ready */
	struct pomp_log *first, *last;
	enum { THREAD_NONE, THREAD_RUNS, THREAD_ENDS, THREAD_IMPOSSIBLE } state;
	pthread_t thread;
	sigset_t signals; /* blocked by the thread that made this one */
} ahead = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void unmap_old(struct pomp_next *next)
{
	if (next->old_window != NULL)
		munmap(next->old_window, next->old_bytes);
	next->old_window = NULL;
}

/* Takes the first order from the queue. Lock held. */
static struct pomp_log *next_order(void)
{
	struct pomp_log *log = ahead.first;

	ahead.first = log->next.queue;
	if (ahead.first == NULL)
		ahead.last = NULL;
	log->next.state = NEXT_IN_WORK;
	return log;
}

/*
 * Waits for an order or the end; false when there was no order for long. Lock held. It waits by the
 * time of day, because musl and glibc before 2.30 have no pthread_cond_clockwait(): if that clock
 * is set, the thread ends early, and the next order starts another, or it ends late.
 */
static bool wait_for_order(void)
{
	struct timespec limit;

	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_nsec += IDLE_LIMIT_NS;
	if (limit.tv_nsec >= 1000000000) {
		limit.tv_nsec -= 1000000000;
		limit.tv_sec++;
	}
	while (ahead.first == NULL && ahead.state == THREAD_RUNS)
		if (pthread_cond_timedwait(&ahead.changed, &ahead.lock, &limit) != 0)
			return ahead.first != NULL || ahead.state != THREAD_RUNS;
	return true;
}

static void *work(void *unused)
{
	pthread_mutex_lock(&ahead.lock);
	while (ahead.state == THREAD_RUNS) {
		if (ahead.first == NULL && !wait_for_order()) {
			ahead.state = THREAD_NONE;
			pthread_detach(pthread_self());
			break;
		}
		if (ahead.first == NULL)
			continue;
		struct pomp_log *log = next_order();
		pthread_mutex_unlock(&ahead.lock);
		unmap_old(&log->next);
		log->next.window = pomp_window_map(log, log->next.offset, log->next.bytes, 0);
		pthread_mutex_lock(&ahead.lock);
		log->next.state = NEXT_READY;
		pthread_cond_broadcast(&ahead.changed);
	}
	sigset_t before = ahead.signals;
	pthread_mutex_unlock(&ahead.lock);
	/* This process's exit() comes next, with the signals that were sent to the process. */
	if (pomp_thread_is_last())
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	return unused;
}

/*
 * Starts the thread. It blocks signals, which are for the program's threads. Its stack has the
 * usual size, because the program's exit handlers may run on it. Lock held.
 */
static void start_thread(void)
{
	sigset_t all;

	ahead.state = THREAD_IMPOSSIBLE;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &ahead.signals);
	if (pomp_thread_start(&ahead.thread, pomp_processors(), work, NULL) == 0) {
		ahead.state = THREAD_RUNS;
		pthread_setname_np(ahead.thread, "pomp-log");
	}
	pthread_sigmask(SIG_SETMASK, &ahead.signals, NULL);
}

void pomp_ahead_order(
    struct pomp_log *log, uint64_t offset, size_t bytes, char *old, size_t old_bytes)
{
	CHECK(bytes > 0, "the window has a size");
	CHECK(log->next.state == NEXT_NONE, "the log has no order");
	pthread_mutex_lock(&ahead.lock);
	if (ahead.state == THREAD_NONE)
		start_thread();
	log->next = (struct pomp_next){
	    .offset = offset, .bytes = bytes, .old_window = old, .old_bytes = old_bytes};
	if (ahead.state == THREAD_RUNS) {
		log->next.state = NEXT_WANTED;
		if (ahead.last != NULL)
			ahead.last->next.queue = log;
		else
			ahead.first = log;
		ahead.last = log;
		pthread_cond_broadcast(&ahead.changed);
	} else {
		unmap_old(&log->next);
	}
	pthread_mutex_unlock(&ahead.lock);
}

/* Takes an order back. Lock held. */
static void withdraw(struct pomp_log *log)
{
	struct pomp_log *before = NULL;
	struct pomp_log **link = &ahead.first;

	for (; *link != log; link = &before->next.queue)
		before = *link;
	*link = log->next.queue;
	if (ahead.last == log)
		ahead.last = before;
	unmap_old(&log->next);
}

char *pomp_ahead_take(struct pomp_log *log)
{
	if (log->next.bytes == 0) /* written only by the owner: nothing was ordered */
		return NULL;
	pthread_mutex_lock(&ahead.lock);
	while (log->next.state == NEXT_IN_WORK)
		pthread_cond_wait(&ahead.changed, &ahead.lock);
	if (log->next.state == NEXT_WANTED)
		withdraw(log);
	char *window = log->next.window;
	log->next = (struct pomp_next){0};
	pthread_mutex_unlock(&ahead.lock);
	return window;
}

void pomp_ahead_stop(void)
{
	pthread_mutex_lock(&ahead.lock);
	bool runs = ahead.state == THREAD_RUNS;
	if (runs)
		ahead.state = THREAD_ENDS;
	pthread_cond_broadcast(&ahead.changed);
	pthread_mutex_unlock(&ahead.lock);
	if (runs)
		pthread_join(ahead.thread, NULL);
}

void pomp_ahead_after_fork(void)
{
	pthread_mutex_init(&ahead.lock, NULL);
	pthread_cond_init(&ahead.changed, NULL);
	ahead.first = ahead.last = NULL;
	ahead.state = THREAD_NONE;
}
