/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The runtime's lock: mutual exclusion, the wake-up of sleepers, and what a holder sees. Two
 * threads in every order, and three threads of which one has the lock when the others come. Waits
 * sleep at once, except in one case.
 */
#include "check.h"
#include "mutex.h"
#include "process.h"

static struct rt_mutex mutex;
static int counter;

static void add(void *argument)
{
	(void)argument;
	rt_mutex_lock(&mutex);
	counter++;
	rt_mutex_unlock(&mutex);
}

static void two(void)
{
	rt_process.spin_count = 0;
	check_start(add, NULL);
	add(NULL);
	check_join();
	EXPECT(counter == 2);
}
HARNESS(mutex_two, "two threads take one mutex") = {.run = two, .spurious = 1};

static void three(void)
{
	rt_process.spin_count = 0;
	rt_mutex_lock(&mutex);
	check_start(add, NULL);
	check_start(add, NULL);
	counter++;
	rt_mutex_unlock(&mutex);
	check_join();
	EXPECT(counter == 3);
}
HARNESS(mutex_three, "a thread has a mutex that two others wait for") = {
    .run = three, .preemptions = 2};

/* Twice: the thread that spins finds it free, or taken again. */
static void twice(void)
{
	rt_process.spin_count = 1;
	check_start(add, NULL);
	add(NULL);
	add(NULL);
	check_join();
	EXPECT(counter == 3);
}
HARNESS(mutex_spin, "a thread spins for a mutex that another one takes twice") = {.run = twice};

static void try_to_add(void *argument)
{
	(void)argument;
	if (!rt_mutex_try(&mutex))
		return;
	counter++;
	rt_mutex_unlock(&mutex);
}

static void one_tries(void)
{
	int after;

	rt_process.spin_count = 0;
	check_start(try_to_add, NULL);
	add(NULL);
	check_join();
	after = counter;
	EXPECT(after == 1 || after == 2);
	EXPECT(rt_mutex_try(&mutex) && !rt_mutex_try(&mutex));
}
HARNESS(mutex_try, "a thread takes a mutex that another one takes if it is free") = {
    .run = one_tries};

/* The state of a mutex within the runtime's own records, which are not the program's to order. */
static void add_inside(void *argument)
{
	(void)argument;
	rt_mutex_lock_inside(&mutex);
	counter++;
	rt_mutex_unlock_inside(&mutex);
}

static void two_inside(void)
{
	rt_process.spin_count = 0;
	check_start(add_inside, NULL);
	add_inside(NULL);
	check_join();
	EXPECT(counter == 2);
}
HARNESS(mutex_inside, "two threads take a mutex of the runtime's own data") = {.run = two_inside};

/* What is needed to take and give back a free lock needs no other thread. */
static void take_alone(void *argument)
{
	(void)argument;
	rt_mutex_lock(&mutex);
	counter++;
	rt_mutex_unlock(&mutex);
}

static void leaves_no_trace(void)
{
	enum { STEPS = 4 };

	rt_process.spin_count = 0;
	check_start(take_alone, NULL);
	rt_mutex_lock(&mutex);
	counter++;
	check_alone_begin(STEPS);
	rt_mutex_unlock(&mutex);
	check_alone_end();
	check_join();
	EXPECT(counter == 2 && load_relaxed(&mutex.state) == 0);
}
HARNESS(mutex_unlock_alone, "who gives a mutex back waits for no other thread") = {
    .run = leaves_no_trace};
