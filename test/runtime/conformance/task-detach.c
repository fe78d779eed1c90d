/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * detach: a task whose block has ended is complete only once its event is fulfilled, be it before
 * the end of the block, by another task, or by a thread that OpenMP does not know; taskwait,
 * taskgroup, dependences and barriers wait for it. OpenMP 5.1, 2.12.1 and 3.11.1.
 */
#include <omp.h>
#include <pthread.h>

#include "check.h"

static void fulfilled_inside(void)
{
	int done = 0;

#pragma omp parallel
#pragma omp single
	{
		omp_event_handle_t event;

#pragma omp task detach(event) shared(done)
		{
			omp_fulfill_event(event);
			count(&done);
		}
#pragma omp taskwait
		CHECK_EQUAL(done, 1);
	}
	CHECK_EQUAL(done, 1);
}

static void taskwait_waits(void)
{
	int step = 0;

#pragma omp parallel
#pragma omp single
	{
		omp_event_handle_t event;

#pragma omp task detach(event) shared(step)
		count(&step);
#pragma omp task shared(step) firstprivate(event)
		{
			dawdle(500);
			count(&step);
			omp_fulfill_event(event);
		}
#pragma omp taskwait
		CHECK_EQUAL(step, 2);
	}
}

/* The successor may start only after the fulfilment, which another task brings about. */
static void dependences_wait(void)
{
	int fulfilled = 0;
	int value = 0;

#pragma omp parallel
#pragma omp single
	{
		omp_event_handle_t event;

#pragma omp task detach(event) depend(out : value)
		value = 1;
#pragma omp task depend(in : value)
		{
			CHECK_EQUAL(is_raised(&fulfilled, 1), 1);
			CHECK_EQUAL(value, 1);
		}
#pragma omp task firstprivate(event)
		{
			dawdle(500);
			raise_flag(&fulfilled);
			omp_fulfill_event(event);
		}
	}
	CHECK_EQUAL(fulfilled, 1);
}

static void taskgroup_waits(void)
{
	int fulfilled = 0;

#pragma omp parallel
#pragma omp single
	{
		omp_event_handle_t event;

#pragma omp taskgroup
		{
#pragma omp task detach(event)
			dawdle(10);
#pragma omp task firstprivate(event)
			{
				raise_flag(&fulfilled);
				omp_fulfill_event(event);
			}
		}
		CHECK_EQUAL(fulfilled, 1);
	}
}

struct stranger {
	omp_event_handle_t event;
	int fulfilled;
};

static void *fulfil_later(void *argument)
{
	struct stranger *stranger = argument;
	struct timespec pause = {0, 2000000};

	nanosleep(&pause, NULL);
	raise_flag(&stranger->fulfilled);
	omp_fulfill_event(stranger->event);
	return NULL;
}

/* All threads of the team sleep at the barrier; only the stranger can end it. */
static void barrier_waits_for_a_stranger(void)
{
	struct stranger stranger = {.fulfilled = 0};
	pthread_t thread;

#pragma omp parallel
	{
#pragma omp single
		{
			omp_event_handle_t event;

#pragma omp task detach(event)
			dawdle(10);
			stranger.event = event;
			pthread_create(&thread, NULL, fulfil_later, &stranger);
		}
		CHECK_EQUAL(is_raised(&stranger.fulfilled, 1), 1);
	}
	pthread_join(thread, NULL);
}

static void many_events(void)
{
	enum { EVENTS = 100 };
	static omp_event_handle_t events[EVENTS];
	int done = 0;

#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < EVENTS; i++) {
			omp_event_handle_t event;

#pragma omp task detach(event)
			count(&done);
			events[i] = event;
		}
		for (int i = EVENTS; i-- > 0;) {
#pragma omp task firstprivate(i)
			omp_fulfill_event(events[i]);
		}
#pragma omp taskwait
		CHECK_EQUAL(done, EVENTS);
	}
}

int main(void)
{
	omp_set_dynamic(0);
	for (int i = 0; i < 10; i++) {
		fulfilled_inside();
		taskwait_waits();
		dependences_wait();
		taskgroup_waits();
		barrier_waits_for_a_stranger();
		many_events();
	}
	return check_result();
}
