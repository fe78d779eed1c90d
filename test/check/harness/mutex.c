/* SPDX-License-Identifier: BSD-3-Clause */
/* The runtime's lock: mutual exclusion, the wake-up of sleepers, what a holder sees. */
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
	CHECK(counter == 2);
}
HARNESS(mutex_two, "two threads take one mutex") = {.run = two, .spurious = 1};

static void three(void)
{
	rt_process.spin_count = 0;
	check_start(add, NULL);
	check_start(add, NULL);
	add(NULL);
	check_join();
	CHECK(counter == 3);
}
HARNESS(mutex_three, "three threads take one mutex") = {.run = three};
