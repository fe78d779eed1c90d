/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long to spin, when to give the processor away, when to sleep; the kernel's futex.
 *
 * A hand-off between two running threads takes some 100 ns, one through the kernel some 10 us. So a
 * wait first spins for about as long as sleeping would cost. Two things make spinning wrong: more
 * threads in the team than processors (the caller says so), and another program on the same
 * processor. The latter shows as lost time: 64 pauses that took far longer than they can. The wait
 * then yields a few times, which costs little when nobody else wants the processor, and sleeps.
 */
#include "wait.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "mutex.h"
#include "process.h"
#include "team.h"
#include "waiting.h"

_Thread_local uint32_t rt_mutex_mark __attribute__((tls_model("initial-exec"))) = RT_MUTEX_HELD;

enum {
	YIELDS_CROWDED = 40, /* enough for every thread of a small team to have its turn */
	YIELDS = 4,
	IMPATIENT_WAITS = 256,
	LOST_NS = 20000, /* 64 pauses take below 3 us on all known machines */
};

uint64_t rt_now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

struct rt_spin rt_spin_begin(bool crowded)
{
	struct rt_thread *self = rt_current;

	if (unlikely(self != NULL && self->impatience > 0)) {
		self->impatience--;
		crowded = true;
	}
	return (struct rt_spin){
	    .limit = crowded ? rt_process.spin_crowded : rt_process.spin_count,
	    .yields = rt_process.wait_policy == RT_WAIT_PASSIVE ? 0
		      : crowded                                 ? YIELDS_CROWDED
								: YIELDS,
	};
}

/*
 * Somebody else needs the processor: this wait has spun enough, and the next ones are short. Who
 * asked never to sleep only yields.
 */
static void notice_loss(struct rt_spin *spin)
{
	if (spin->limit == RT_SPIN_FOREVER) {
		sched_yield();
		return;
	}
	spin->limit = 0;
	if (rt_current != NULL)
		rt_current->impatience = IMPATIENT_WAITS;
}

bool rt_spin_again_slow(struct rt_spin *spin)
{
	if (spin->turns < spin->limit) {
		uint64_t now = rt_now_ns();
		if (spin->stamp != 0 && now - spin->stamp > LOST_NS)
			notice_loss(spin);
		spin->stamp = now;
		rt_pause();
		return true;
	}
	if (spin->yields == 0)
		return false;
	spin->yields--;
	sched_yield();
	return true;
}

void rt_event_sleep(struct rt_event *event, uint32_t ticket)
{
	rt_futex_wait(&event->count, ticket);
	sub_relaxed(&event->sleepers, 1);
}

void rt_event_wake(struct rt_event *event, int threads)
{
	add_relaxed(&event->count, 1);
	rt_futex_wake(&event->count, threads);
}

void rt_futex_wait(_Atomic uint32_t *word, uint32_t expected)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

void rt_futex_wake(_Atomic uint32_t *word, int threads)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, threads, NULL, NULL, 0);
}

/*
 * Before a thread sleeps it notes so in the word, so that unlock knows; the holder's number stays. A
 * thread that gets the lock this way leaves the note, since others may still sleep.
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
		rt_futex_wait(&mutex->state, state | RT_MUTEX_SLEEPERS);
		state = load_relaxed(&mutex->state);
	}
}

/*
 * Spins while the lock is merely held, looking ever less often: each look takes the line away from
 * the holder.
 */
void rt_mutex_lock_slow(struct rt_mutex *mutex)
{
	enum { LONGEST_PAUSE = 64 };
	struct rt_spin spin = rt_spin_begin(rt_current != NULL && load_relaxed(&rt_current->team->crowded));
	uint32_t pause = 1;
	bool patient = true;

	while (patient) {
		uint32_t state = load_relaxed(&mutex->state);
		if (state == 0 && cas_acquire(&mutex->state, &state, rt_mutex_mark))
			return;
		for (uint32_t i = 0; i < pause && patient; i++)
			patient = rt_spin_again(&spin);
		if (pause < LONGEST_PAUSE)
			pause *= 2;
	}
	lock_asleep(mutex);
}

/* A thread that has never called anything else of the runtime has no record to note it in. */
void rt_mutex_lock_noted_slow(struct rt_mutex *mutex, uint32_t waiting_state)
{
	struct rt_thread *self = rt_current;
	struct rt_waiting outer;

	if (self != NULL)
		rt_waiting_begin(
		    self, &outer, waiting_state, mutex, load_relaxed(&mutex->state), 0);
	rt_mutex_lock_slow(mutex);
	if (self != NULL)
		rt_waiting_end(self, &outer);
}
