/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of looks. The kernel brings a thread's time up to date at its own moments, so the times of
 * single looks are off by some ms in both directions; they are divided at the end of an interval.
 */
#include "thread-sample.h"

#include <stddef.h>

static const struct {
	uint32_t state;
	const char *key, *text;
} states[] = {
    {ompt_state_work_serial, "serial", "works, in no region"},
    {ompt_state_work_parallel, "work", "works"},
    {ompt_state_wait_barrier, "barrier", "waits at a barrier"},
    {ompt_state_wait_barrier_implicit_parallel, "region_end", "waits at the end of its region"},
    {ompt_state_wait_taskwait, "taskwait", "waits for tasks"},
    {ompt_state_wait_taskgroup, "taskgroup", "waits for a taskgroup"},
    {ompt_state_wait_mutex, "mutex", "waits for a mutex"},
    {ompt_state_wait_lock, "lock", "waits for a lock"},
    {ompt_state_wait_critical, "critical", "waits for a critical"},
    {ompt_state_wait_atomic, "atomic", "waits for an atomic"},
    {ompt_state_wait_ordered, "ordered", "waits for its turn (ordered)"},
    {ompt_state_idle, "idle", "idle"},
};

static size_t find(uint32_t state)
{
	size_t count = sizeof states / sizeof states[0], i = 0;

	while (i < count && states[i].state != state)
		i++;
	return i;
}

const char *state_key(uint32_t state)
{
	size_t i = find(state);

	return i < sizeof states / sizeof states[0] ? states[i].key : "unknown";
}

const char *state_text(uint32_t state)
{
	size_t i = find(state);

	return i < sizeof states / sizeof states[0] ? states[i].text : "in an unknown state";
}

static bool executes(uint32_t state)
{
	return state == ompt_state_work_serial || state == ompt_state_work_parallel;
}

/* In OpenMP; neither working nor idle is a wait. */
static bool is_wait(uint32_t state)
{
	return !executes(state) && state != ompt_state_idle;
}

void looked_add(struct looked *to, const struct looked *from)
{
	to->executes += from->executes;
	to->ran += from->ran;
	to->delayed += from->delayed;
	to->waits += from->waits;
	to->idle += from->idle;
}

struct shares looked_shares(const struct looked *looked)
{
	uint64_t left = looked->executes;
	struct shares shares = {{[DOING_WAIT] = looked->waits, [DOING_IDLE] = looked->idle}};

	shares.ns[DOING_WORK] = looked->ran < left ? looked->ran : left;
	left -= shares.ns[DOING_WORK];
	shares.ns[DOING_DELAYED] = looked->delayed < left ? looked->delayed : left;
	shares.ns[DOING_BLOCKED] = left - shares.ns[DOING_DELAYED];
	return shares;
}

void shares_add(struct shares *to, const struct shares *from)
{
	for (int i = 0; i < DOING_COUNT; i++)
		to->ns[i] += from->ns[i];
}

uint64_t shares_sum(const struct shares *shares)
{
	uint64_t sum = 0;

	for (int i = 0; i < DOING_COUNT; i++)
		sum += shares->ns[i];
	return sum;
}

double shares_efficiency(const struct shares *shares)
{
	uint64_t sum = shares_sum(shares);

	return sum > 0 ? (double)shares->ns[DOING_WORK] / (double)sum : -1;
}

/*
 * The same wait: of the same task for the same object, and the thread has not run since. A wait at
 * a barrier is also known by its turn, so there the thread may have run, as one that spins does.
 */
static bool is_same_wait(const struct thread_sample *sample, const ompdx_thread_t *record,
    const struct thread_times *times)
{
	const ompdx_thread_t *last = &sample->record;

	if (!is_wait(record->state) || last->state != record->state ||
	    last->object != record->object || last->task != record->task ||
	    last->until != record->until)
		return false;
	if (record->state == ompt_state_wait_barrier && record->until != 0)
		return true;
	return times->slices == sample->times.slices && times->run == sample->times.run;
}

static uint64_t grown(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

struct looked thread_sample_add(struct thread_sample *sample, const ompdx_thread_t *record,
    const struct thread_times *times, uint64_t now)
{
	uint64_t elapsed = sample->looked_at != 0 ? grown(now, sample->looked_at) : 0;
	struct looked look = {0};

	if (record->problem != ompd_rc_ok) {
		sample->same_since = 0;
	} else {
		if (!is_same_wait(sample, record, times) || sample->same_since == 0)
			sample->same_since = is_wait(record->state) ? now : 0;
		if (executes(record->state)) {
			look.executes = elapsed;
			look.ran = elapsed != 0 ? grown(times->run, sample->times.run) : 0;
			look.delayed = elapsed != 0 ? grown(times->delay, sample->times.delay) : 0;
		} else if (record->state == ompt_state_idle) {
			look.idle = elapsed;
		} else {
			look.waits = elapsed;
		}
		sample->record = *record;
	}
	sample->times = *times;
	sample->looked_at = now;
	looked_add(&sample->current, &look);
	return look;
}

void thread_sample_end_interval(struct thread_sample *sample)
{
	sample->interval = looked_shares(&sample->current);
	shares_add(&sample->whole, &sample->interval);
	sample->current = (struct looked){0};
}

uint64_t thread_sample_unchanged(const struct thread_sample *sample)
{
	return sample->same_since != 0 ? grown(sample->looked_at, sample->same_since) : 0;
}
