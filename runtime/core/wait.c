/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long to spin, when to yield the processor, when to sleep; the kernel's futex.
 *
 * A wake-up from one running thread to another takes some 100 ns, one through the kernel 10 to 40
 * us. So a wait first spins, for a few times as long as sleeping would cost. If the awaited thread
 * may need the waiter's own processor, the waiter has to yield instead. That is so in a team with
 * more threads than processors (the caller says so), and when two members run on the same processor
 * although there are enough. The latter shows in a wait that was long or lost time, which means
 * that 64 pauses took far longer than they can. Members then compare where they run; those that
 * share a processor make their next waits short. If they do not share one, the lost time went to
 * another program, and yielding would give it more. If several teams of the program compete for the
 * processors, all waits are short; see is_crowded().
 *
 * OMP_WAIT_POLICY=passive makes all waits short, but not empty: a few pauses or yields, which cost
 * less processor time than to sleep and be woken.
 */
#include "wait.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "mutex.h"
#include "process.h"
#include "shared/debug-log.h"
#include "shared/precondition.h"
#include "team.h"

_Thread_local uint32_t rt_mutex_mark PROCESSOR_THREAD_LOCAL = RT_MUTEX_HELD;

enum {
	YIELDS_OVERSUBSCRIBED = 200, /* some 50 us, and enough to give every thread its turns */
	YIELDS_PASSIVE = 16,         /* an idle yield takes 0.25 us: less than sleeping */
	SHORT_WAITS = 256,
	MANY_MEMBERS = 64,           /* members beyond these are not compared */
	TURNS_BETWEEN_YIELDS = 4096, /* of waits that never sleep: some 20 us */
	LONG_YIELD_CYCLES = 400000,  /* 0.1 to 0.4 ms: a slice, not another waiter's turn */
	SLICES_APART = 16,      /* a second slice lost within this many slices is no coincidence */
	SLICES_SUPPRESSED = 32, /* then no yields for this many slices */
	TURNS_CROWDED = 192,    /* some 5 us */
	CROWDED_NS = 5000000,
	LOST_NS = 20000, /* 64 pauses take below 3 us on all known machines */
};

uint64_t rt_now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool yields_are_suppressed(void)
{
	uint64_t end = load_relaxed(&rt_process.yields_suppressed_until);

	return unlikely(end != 0) && rt_cycles() < end;
}

struct rt_spin rt_spin_begin(enum rt_shortage shortage)
{
	struct rt_thread *self = rt_current;

	if (likely(self != NULL)) {
		store_relaxed(&self->member->processor, sched_getcpu());
		if (unlikely(self->short_waits > 0)) {
			self->short_waits--;
			if (shortage == RT_SHORTAGE_NONE)
				shortage = RT_SHORTAGE_PROCESSORS;
		}
	}
	if (likely(shortage == RT_SHORTAGE_NONE))
		return (struct rt_spin){.limit = load_relaxed(&rt_process.spin_count)};
	if (yields_are_suppressed())
		return (struct rt_spin){.limit = load_relaxed(&rt_process.spin_oversubscribed)};
	return (struct rt_spin){
	    .limit = load_relaxed(&rt_process.spin_oversubscribed),
	    .yields = rt_process.wait_policy == RT_WAIT_PASSIVE || shortage == RT_SHORTAGE_TIME
			  ? YIELDS_PASSIVE
			  : YIELDS_OVERSUBSCRIBED,
	};
}

/*
 * Are more of the runtime's workers awake than there are processors besides one for a thread of the
 * program, or were there a short time ago? Then several threads of the program have regions at the
 * same time, and processor time that one team spends on spinning could serve another. The result
 * stays true for a while, because workers that sleep for this reason no longer count as awake.
 * Relaxed, hints: workers count themselves where they begin, end and sleep; only the first few of
 * each team do, so that a team of hundreds does not queue for the counter when it wakes up.
 */
static bool is_crowded(uint64_t now)
{
	uint64_t until = load_relaxed(&rt_process.crowded_until);

	if (load_relaxed(&rt_process.spin_ns) == UINT64_MAX)
		return false;
	if (load_relaxed(&rt_process.awake_workers) < load_relaxed(&rt_process.running_threads))
		return now < until;
	if (until < now + CROWDED_NS / 2)
		store_relaxed(&rt_process.crowded_until, now + CROWDED_NS);
	return true;
}

/* Was another member of the caller's team last seen on the processor that the caller runs on? */
static bool shares_processor(const struct rt_thread *self)
{
	struct rt_roster *roster;
	uint32_t size = rt_team_published(self->team, &roster);
	int32_t here = sched_getcpu();

	if (size > MANY_MEMBERS)
		size = MANY_MEMBERS;
	for (uint32_t i = 0; i < size; i++)
		if (roster->members[i] != self->member &&
		    load_relaxed(&roster->members[i]->processor) == here)
			return true;
	return false;
}

/* The wait was long or lost time. This wait and the next ones go on with yields if that helps. */
static void switch_to_yields(struct rt_spin *spin)
{
	struct rt_thread *self = rt_current;

	if (self == NULL || self->short_waits > 0 || rt_process.wait_policy == RT_WAIT_PASSIVE ||
	    yields_are_suppressed() || !shares_processor(self))
		return;
	DEBUG_LOG(
	    wait, "thread %u shares its processor with a member: yields from now on", self->number);
	self->short_waits = SHORT_WAITS;
	spin->limit = spin->turns;
	spin->yields = YIELDS_OVERSUBSCRIBED;
}

/*
 * May a member of the caller's team have run on this processor for most of the time since `begun`?
 * Not if it began to wait there soon after `begun`. Relaxed: hints.
 */
static bool member_ran_here(const struct rt_thread *self, uint64_t begun, uint64_t end)
{
	struct rt_roster *roster;
	uint32_t size = rt_team_published(self->team, &roster);
	int32_t here = sched_getcpu();

	for (uint32_t i = 0; i < size; i++) {
		struct rt_member *member = roster->members[i];
		uint64_t since;

		if (member == self->member || load_relaxed(&member->processor) != here)
			continue;
		since = load_relaxed(&member->idle_since);
		if (since == 0 || (since > begun && since - begun > (end - begun) / 2))
			return true;
	}
	return false;
}

/*
 * A yield took a time slice that no member used: another program did. One such yield may be a
 * coincidence. If it happens again soon, or soon after yields were suppressed, that program gets a
 * slice with each yield; so for a while all threads of the process sleep instead. Sleeping costs
 * more than yielding to another member and far less than a slice, and the time lost on checking
 * whether the other program is gone is a small part of the whole.
 */
static void note_lost_slice(uint64_t end, uint64_t cycles)
{
	uint64_t last = load_relaxed(&rt_process.slice_lost_at);
	uint64_t suppressed = load_relaxed(&rt_process.yields_suppressed_until);

	store_relaxed(&rt_process.slice_lost_at, end);
	if (end - (last > suppressed ? last : suppressed) >= cycles * SLICES_APART)
		return;
	DEBUG_LOG(wait, "another program takes the yielded time: no yields for %llu cycles",
	    (unsigned long long)(cycles * SLICES_SUPPRESSED));
	store_relaxed(&rt_process.yields_suppressed_until, end + cycles * SLICES_SUPPRESSED);
}

static void yield(struct rt_spin *spin)
{
	struct rt_thread *self = rt_current;
	uint64_t begun, end;

	if (self == NULL) {
		sched_yield();
		return;
	}
	begun = rt_cycles();
	store_relaxed(&self->member->idle_since, begun);
	sched_yield();
	store_relaxed(&self->member->idle_since, 0);
	end = rt_cycles();
	if (end - begun < LONG_YIELD_CYCLES)
		return;
	/* A member used the time, which is what short waits are for: they stay short. */
	if (member_ran_here(self, begun, end))
		return;
	self->short_waits = 0;
	note_lost_slice(end, end - begun);
	if (yields_are_suppressed())
		spin->yields = 0;
}

/* May the wait go on spinning? */
static bool has_pauses_left(const struct rt_spin *spin, uint64_t now)
{
	if (spin->turns >= spin->limit || now - spin->begun >= load_relaxed(&rt_process.spin_ns))
		return false;
	return spin->turns < TURNS_CROWDED || spin->limit != load_relaxed(&rt_process.spin_count) ||
	       !is_crowded(now);
}

bool rt_spin_again_slow(struct rt_spin *spin)
{
	uint64_t now = spin->turns < spin->limit ? rt_now_ns() : 0;

	if (spin->begun == 0)
		spin->begun = now;
	if (has_pauses_left(spin, now)) {
		bool is_long = spin->turns % TURNS_BETWEEN_YIELDS == 0;
		if (is_long || (spin->stamp != 0 && now - spin->stamp > LOST_NS))
			switch_to_yields(spin);
		spin->stamp = now;
		if (is_long)
			sched_yield();
		else
			rt_pause();
		return true;
	}
	if (spin->yields == 0 && spin->limit == load_relaxed(&rt_process.spin_count))
		switch_to_yields(spin);
	if (spin->yields == 0)
		return false;
	spin->yields--;
	yield(spin);
	return true;
}

void rt_event_sleep(struct rt_event *event, uint32_t ticket)
{
	DEBUG_LOG(wait, "sleeps at event %p", (void *)event);
	rt_futex_wait(&event->count, ticket);
	DEBUG_LOG(wait, "is awake at event %p", (void *)event);
	uint32_t sleepers = sub_relaxed(&event->sleepers, 1);
	CHECK(sleepers > 0, "the thread has announced itself");
}

void rt_event_wake(struct rt_event *event, int threads)
{
	CHECK(threads > 0, "a thread is to be woken");
	add_release(&event->count, 1);
	rt_futex_wake(&event->count, threads);
}

void rt_futex_wait(_Atomic uint32_t *word, uint32_t expected)
{
	struct rt_thread *self = rt_current;

	if (self != NULL) {
		store_relaxed(&self->member->idle_since, rt_cycles());
		sub_relaxed(&rt_process.awake_workers, self->is_counted);
	}
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
	if (self != NULL) {
		add_relaxed(&rt_process.awake_workers, self->is_counted);
		store_relaxed(&self->member->idle_since, 0);
	}
}

int rt_futex_wake(_Atomic uint32_t *word, int threads)
{
	return (int)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, threads, NULL, NULL, 0);
}

/*
 * Before a thread sleeps, it sets RT_MUTEX_SLEEPERS in the word, so that unlock wakes it; the
 * holder's number stays. A thread that gets the lock this way leaves the flag set, since others may
 * still sleep.
 */
static void lock_asleep(struct rt_mutex *mutex)
{
	uint32_t state = load_relaxed(&mutex->state);

	for (;;) {
		if (state == 0) {
			if (cas_acquire(&mutex->state, &state, rt_mutex_mark | RT_MUTEX_SLEEPERS))
				return;
			continue;
		}
		if ((state & RT_MUTEX_SLEEPERS) == 0 &&
		    !cas_relaxed(&mutex->state, &state, state | RT_MUTEX_SLEEPERS))
			continue;
		DEBUG_LOG(wait, "sleeps at mutex %p", (void *)mutex);
		rt_futex_wait(&mutex->state, state | RT_MUTEX_SLEEPERS);
		state = load_relaxed(&mutex->state);
	}
}

/*
 * Spins while another thread holds the lock. It looks less and less often, because each look takes
 * the line away from the holder.
 */
void rt_mutex_lock_slow(struct rt_mutex *mutex)
{
	enum { LONGEST_PAUSE = 64 };
	struct rt_spin spin =
	    rt_spin_begin(rt_current != NULL ? load_relaxed(&rt_current->team->shortage) : 0);
	uint32_t pause = 1;
	bool may_spin = true;

	while (may_spin) {
		uint32_t state = load_relaxed(&mutex->state);
		if (state == 0 && cas_acquire(&mutex->state, &state, rt_mutex_mark))
			return;
		for (uint32_t i = 0; i < pause && may_spin; i++)
			may_spin = rt_spin_again(&spin);
		if (pause < LONGEST_PAUSE)
			pause *= 2;
	}
	lock_asleep(mutex);
}
