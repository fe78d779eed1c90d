/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Acts as a sampling profiler: in the handler of a signal that comes at any moment, on any thread,
 * the async-signal-safe entry points must answer, and their answers must make sense.
 */
#include "check.h"

#include <errno.h>
#include <signal.h>
#include <sys/time.h>

#define INTERVAL 1000 /* microseconds of processor time */
#define LEVELS   100000

unsigned long samples_taken;

static void sample_state(void)
{
	ompt_wait_id_t wait_id = 0;
	int state = runtime.get_state(&wait_id);

	if (!state_is_known(state))
		violation(RULE_sampled, "state %#x is not enumerated", (unsigned)state);
	else if (state >= ompt_state_wait_mutex && state <= ompt_state_wait_ordered && !wait_id)
		violation(RULE_sampled, "state %#x has no wait id", (unsigned)state);
}

static void sample_tasks(void)
{
	int level = 0, answer = 2;

	for (; level < LEVELS && answer; level++) {
		int flags = 0, number = -1;
		ompt_data_t *data = NULL, *region = NULL;
		ompt_frame_t *frame = NULL;

		answer = runtime.get_task_info(level, &flags, &data, &frame, &region, &number);
		if (answer < 0 || answer > 2 ||
		    (answer == 2 && (!data || !frame || !(flags & 0x1f) || number < 0)))
			violation(RULE_sampled,
			    "task level %d: answer %d, data %p, frame %p, flags %#x, number %d",
			    level, answer, (void *)data, (void *)frame, (unsigned)flags, number);
	}
	if (level == LEVELS)
		violation(RULE_sampled, "more than %d levels of tasks", level);
}

static void sample_regions(void)
{
	int level = 0, answer = 2;

	for (; level < LEVELS && answer; level++) {
		ompt_data_t *data = NULL;
		int size = 0;

		answer = runtime.get_parallel_info(level, &data, &size);
		if (answer < 0 || answer > 2 || (answer == 2 && (!data || size < 1)))
			violation(RULE_sampled, "region level %d: answer %d, data %p, %d threads",
			    level, answer, (void *)data, size);
	}
}

static void sample(int number)
{
	const struct thread *me = thread_now();
	int saved = errno;
	ompt_data_t *data;

	(void)number;
	add(&samples_taken, 1);
	sample_state();
	data = runtime.get_thread_data();
	if (data && me && me->begun && !me->ended && me->home && data != me->home)
		violation(RULE_sampled, "thread data is at %p, expected %p", (void *)data,
		    (void *)me->home);
	sample_tasks();
	sample_regions();
	errno = saved;
}

void samples_begin(void)
{
	struct sigaction action = {.sa_handler = sample, .sa_flags = SA_RESTART};
	struct itimerval interval = {{0, INTERVAL}, {0, INTERVAL}};

	if (!runtime.get_state || !runtime.get_thread_data || !runtime.get_task_info ||
	    !runtime.get_parallel_info)
		return;
	sigemptyset(&action.sa_mask);
	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &interval, NULL);
}

void samples_end(void)
{
	struct itimerval never = {{0, 0}, {0, 0}};

	setitimer(ITIMER_PROF, &never, NULL);
}
