/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a thread does, asked in a signal handler, as sampling tools ask (OpenMP 5.2, 19.6.13: entry
 * points that may be called there): it works in a region, or it waits in taskwait or taskgroup for
 * a task that another thread holds; then the frame of the runtime's entry is noted, and not before.
 */
#include <omp.h>
#include <pthread.h>
#include <signal.h>

#include "record.h"

/* By the handler; atomic, because ThreadSanitizer does not know that a signal orders anything. */
static struct {
	int state;
	uint64_t wait_id;
	uintptr_t enter_frame;
	uint64_t task;
	int samples;
} sampled;

#define PUT(field, value) __atomic_store_n(&sampled.field, (value), __ATOMIC_RELAXED)
#define GET(field)        __atomic_load_n(&sampled.field, __ATOMIC_RELAXED)

static void sample(int signal)
{
	ompt_wait_id_t wait_id = 0;
	ompt_frame_t *frame = NULL;
	ompt_data_t *task = NULL;

	(void)signal;
	PUT(state, record_state(&wait_id));
	PUT(wait_id, wait_id);
	if (record_task_info(0, NULL, &task, &frame, NULL, NULL) == 2) {
		PUT(enter_frame, (uintptr_t)frame->enter_frame.ptr);
		PUT(task, task->value);
	}
	raise_flag(&sampled.samples);
}

/* What the thread answers in the handler; it is interrupted wherever it is. */
static void take_sample(pthread_t thread)
{
	int before = GET(samples);

	pthread_kill(thread, SIGUSR1);
	CHECK(await_flag(&sampled.samples, before + 1));
}

/* Steps of main() and of the other thread's tasks, each taken once; they are counted. */
struct steps {
	int created, begun;
};

/*
 * Another thread's task: samples `thread` until it waits as expected, first where it has left the
 * entry that creates the task.
 */
static void hold(pthread_t thread, struct steps *steps, int step, int state, uint64_t task)
{
	double deadline = check_deadline(10);

	CHECK(await_flag(&steps->created, step));
	take_sample(thread);
	CHECK_EQUAL(GET(state), ompt_state_work_parallel);
	CHECK_EQUAL(GET(enter_frame), 0);
	raise_flag(&steps->begun);
	do
		take_sample(thread);
	while (GET(state) != state && keep_waiting(deadline));
	CHECK_EQUAL(GET(state), state);
	CHECK(GET(enter_frame) != 0);
	CHECK(GET(wait_id) != 0);
	CHECK_EQUAL(GET(task), task);
}

int main(void)
{
	signal(SIGUSR1, sample);
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		pthread_t self = pthread_self();
		uint64_t task = record_current(0);
		struct steps steps = {0, 0};

		CHECK_EQUAL(record_state(NULL), ompt_state_work_parallel);
#pragma omp task shared(steps)
		hold(self, &steps, 1, ompt_state_wait_taskwait, task);
		raise_flag(&steps.created);
		CHECK(await_flag(&steps.begun, 1));
#pragma omp taskwait
#pragma omp taskgroup
		{
#pragma omp task shared(steps)
			hold(self, &steps, 2, ompt_state_wait_taskgroup, task);
			raise_flag(&steps.created);
			CHECK(await_flag(&steps.begun, 2));
		}
		CHECK_EQUAL(record_state(NULL), ompt_state_work_parallel);
	}
	CHECK_EQUAL(record_state(NULL), ompt_state_work_serial);
	record_check_lives();
	return check_result();
}
