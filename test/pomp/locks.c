/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks with a known history: one that its holder sets again, one for which another thread is made
 * to wait, and a critical so short that only the order of its events shows which threads contended.
 */
#include "regions.h"

#include <dlfcn.h>
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

enum { PARALLEL, BRIEF, COUNT };

OMPRegDescr regions[COUNT] = {
    [PARALLEL] = REGION("parallel", "", 10),
    [BRIEF] = REGION("critical", "brief", 20),
};
const int region_count = COUNT;

enum { THREADS = 4, ROUNDS = 2000, DEPTH = 3, PLANTED = 100000000 };

static omp_lock_t planted;
static atomic_int asks; /* how often a thread came to the runtime for a lock */
static omp_nest_lock_t again;
static struct span wait_time[2], hold_time[2]; /* of threads 0 and 1 at `planted` */

/* Before and after the runtime's routine was called, the last time. */
static _Thread_local struct moments {
	uint64_t asked, taken;
} inner;

typedef void set_lock_routine(omp_lock_t *lock);
static long sum;

/*
 * The runtime's own routine, called by libpomp: the first reading comes after libpomp's of the
 * enter, the second before that of the acquisition.
 */
__attribute__((visibility("default"))) void omp_set_lock(omp_lock_t *lock)
{
	static _Atomic(set_lock_routine *) runtime;
	set_lock_routine *routine = runtime;

	if (routine == NULL) {
		*(void **)&routine = dlsym(RTLD_NEXT, "omp_set_lock");
		runtime = routine;
	}
	inner.asked = now();
	atomic_fetch_add(&asks, 1);
	routine(lock);
	inner.taken = now();
}

static void take_again(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		for (int depth = 0; depth < DEPTH; depth++)
			pomp_set_nest_lock(&again);
		for (int depth = 0; depth < DEPTH; depth++)
			pomp_unset_nest_lock(&again);
	}
}

static struct moments set_planted(void)
{
	struct moments outer = {.asked = now()};

	pomp_set_lock(&planted);
	outer.taken = now();
	return outer;
}

static void unset_planted(int self, struct moments outer)
{
	uint64_t start = now();

	pomp_unset_lock(&planted);
	wait_time[self] = (struct span){inner.taken - inner.asked, outer.taken - outer.asked};
	hold_time[self] = (struct span){start - outer.taken, now() - inner.taken};
}

/* Thread 0 holds the lock until after thread 1 has asked for it; no other thread does. */
static void plant(int self)
{
	struct moments outer;

	if (self == 0)
		outer = set_planted();
#pragma omp barrier
	if (self == 0) {
		while (atomic_load(&asks) < 2)
			sched_yield();
		nanosleep(&(struct timespec){.tv_nsec = PLANTED}, NULL);
	} else if (self == 1)
		outer = set_planted();
	if (self < 2)
		unset_planted(self, outer);
#pragma omp barrier
}

static void brief_criticals(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		pomp_critical_enter(&regions[BRIEF]);
#pragma omp critical(brief)
		{
			pomp_critical_begin(&regions[BRIEF]);
			sum++;
			pomp_critical_end(&regions[BRIEF]);
		}
		pomp_critical_exit(&regions[BRIEF]);
	}
}

static void print_close(const char *key, const struct span *span)
{
	print_expected("lock_close lock|planted|%s|%" PRIu64 "|%" PRIu64, key,
	    span[0].inside + span[1].inside, span[0].outside + span[1].outside);
}

int main(void)
{
	omp_set_dynamic(0);
	omp_init_lock(&planted);
	omp_init_nest_lock(&again);
	uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
#pragma omp parallel num_threads(THREADS)
	{
		pomp_parallel_begin(&regions[PARALLEL], fork);
		int self = omp_get_thread_num();
		if (self == 2)
			take_again();
		plant(self);
		brief_criticals();
		pomp_parallel_end(&regions[PARALLEL]);
	}
	pomp_parallel_join(&regions[PARALLEL], fork);
	pomp_finalize();

	check(sum == THREADS * ROUNDS, "sum", (uint64_t)sum, THREADS * ROUNDS);
	expect(&regions[BRIEF], THREADS * ROUNDS);
	print_expected("acquisitions critical(brief)|hand.c:20|%d", THREADS * ROUNDS);
	print_expected("acquisitions lock|again|%d", DEPTH * ROUNDS);
	print_expected("contended lock|again|0");
	print_expected("acquisitions lock|planted|2");
	print_expected("contended lock|planted|1");
	print_close("wait_ns", wait_time);
	print_close("hold_ns", hold_time);
	print_expected("locks 3");
	print_expected("locations %d", THREADS);
	return result();
}
