/* SPDX-License-Identifier: BSD-3-Clause */
/* What looks at a thread add up to, with times and states that are given here. */
#include "thread-sample.h"

#include <stdio.h>
#include <string.h>

#define MS UINT64_C(1000000)

static int failures;

#define EXPECT(condition)                                                                          \
	((condition) ? (void)0 : (void)(failures++, printf("line %d: %s\n", __LINE__, #condition)))

/* A thread of which each look is 100 ms after the one before. */
struct sequence {
	struct thread_sample sample;
	struct thread_times times;
	uint64_t now;
};

static void look(struct sequence *sequence, ompdx_thread_t record, uint64_t ran, uint64_t delayed)
{
	sequence->now += 100 * MS;
	sequence->times.run += ran * MS;
	sequence->times.delay += delayed * MS;
	sequence->times.slices += ran != 0;
	thread_sample_add(&sequence->sample, &record, &sequence->times, sequence->now);
}

static const ompdx_thread_t works = {.state = ompt_state_work_parallel, .region = 1};
static const ompdx_thread_t waits = {.state = ompt_state_wait_lock, .object = 7, .task = 3};
static const ompdx_thread_t spins = {
    .state = ompt_state_wait_barrier, .object = 7, .task = 3, .until = 11};
static const ompdx_thread_t idles = {.state = ompt_state_idle};
static const ompdx_thread_t torn = {.problem = ompd_rc_error};

static bool has(const struct shares *shares, uint64_t work, uint64_t delayed, uint64_t blocked,
    uint64_t wait, uint64_t idle)
{
	return shares->ns[DOING_WORK] == work * MS && shares->ns[DOING_DELAYED] == delayed * MS &&
	       shares->ns[DOING_BLOCKED] == blocked * MS && shares->ns[DOING_WAIT] == wait * MS &&
	       shares->ns[DOING_IDLE] == idle * MS;
}

static void test_categories(void)
{
	struct sequence sequence = {.now = 1000 * MS, .times = {500 * MS, 40 * MS, 9}};

	look(&sequence, works, 0, 0); /* the first one only begins */
	look(&sequence, works, 60, 30);
	look(&sequence, waits, 100, 0); /* it spins: a wait whether or not it runs */
	look(&sequence, torn, 100, 0);
	look(&sequence, idles, 5, 0);
	thread_sample_end_interval(&sequence.sample);
	EXPECT(has(&sequence.sample.interval, 60, 30, 10, 100, 100));
	EXPECT(shares_efficiency(&sequence.sample.interval) == 0.2);
	thread_sample_end_interval(&sequence.sample);
	EXPECT(has(&sequence.sample.interval, 0, 0, 0, 0, 0));
	EXPECT(shares_efficiency(&sequence.sample.interval) < 0);
	EXPECT(has(&sequence.sample.whole, 60, 30, 10, 100, 100));
}

/* The kernel counts a running thread's time late: what one look lacks, the next one has. */
static void test_late_times(void)
{
	struct sequence sequence = {0};

	look(&sequence, works, 0, 0);
	look(&sequence, works, 96, 0);
	look(&sequence, works, 104, 0);
	thread_sample_end_interval(&sequence.sample);
	EXPECT(has(&sequence.sample.interval, 200, 0, 0, 0, 0));
	look(&sequence, works, 130, 50); /* more than there was */
	thread_sample_end_interval(&sequence.sample);
	EXPECT(has(&sequence.sample.interval, 100, 0, 0, 0, 0));
}

static void test_unchanged(void)
{
	struct sequence sequence = {0};
	ompdx_thread_t other = waits, next = spins;

	look(&sequence, works, 100, 0);
	EXPECT(thread_sample_unchanged(&sequence.sample) == 0);
	look(&sequence, waits, 50, 0);
	look(&sequence, waits, 0, 0);
	look(&sequence, waits, 0, 0);
	EXPECT(thread_sample_unchanged(&sequence.sample) == 200 * MS);
	look(&sequence, waits, 1, 0); /* it ran: perhaps it got the lock, and waits for it again */
	EXPECT(thread_sample_unchanged(&sequence.sample) == 0);
	other.object = 8;
	look(&sequence, other, 0, 0);
	EXPECT(thread_sample_unchanged(&sequence.sample) == 0);
	look(&sequence, spins, 100, 0);
	look(&sequence, spins, 100, 0); /* the same turn of the barrier */
	EXPECT(thread_sample_unchanged(&sequence.sample) == 100 * MS);
	next.until = 12;
	look(&sequence, next, 0, 0);
	EXPECT(thread_sample_unchanged(&sequence.sample) == 0);
	look(&sequence, torn, 0, 0);
	look(&sequence, next, 0, 0);
	EXPECT(thread_sample_unchanged(&sequence.sample) == 0);
	look(&sequence, idles, 0, 0);
	look(&sequence, idles, 0, 0);
	EXPECT(thread_sample_unchanged(&sequence.sample) == 0);
}

int main(void)
{
	test_categories();
	test_late_times();
	test_unchanged();
	EXPECT(strcmp(state_key(ompt_state_wait_ordered), "ordered") == 0);
	EXPECT(strcmp(state_key(0x999), "unknown") == 0);
	return failures != 0;
}
