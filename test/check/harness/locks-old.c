/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nested locks of programs that were linked with libgomp's first version: mutual exclusion, the
 * wake-up of sleepers, and what a holder sees. Three threads at random, two in every order.
 */
#include "check.h"
#include "process.h"

struct old_nest_lock;
void old_init_nest_lock(struct old_nest_lock *lock);
void old_set_nest_lock(struct old_nest_lock *lock);
void old_unset_nest_lock(struct old_nest_lock *lock);
int old_test_nest_lock(struct old_nest_lock *lock);

static uint64_t memory[2];
static int counter;

static struct old_nest_lock *lock(void)
{
	return (struct old_nest_lock *)(void *)memory;
}

static void set_twice(void *argument)
{
	(void)argument;
	old_set_nest_lock(lock());
	old_set_nest_lock(lock());
	counter++;
	old_unset_nest_lock(lock());
	old_unset_nest_lock(lock());
}

static void two(void)
{
	old_init_nest_lock(lock());
	check_start(set_twice, NULL);
	set_twice(NULL);
	check_join();
	EXPECT(counter == 2);
}
HARNESS(locks_old_two, "two threads take an old nested lock") = {.run = two, .spurious = 1};

static void three(void)
{
	old_init_nest_lock(lock());
	check_start(set_twice, NULL);
	check_start(set_twice, NULL);
	set_twice(NULL);
	check_join();
	EXPECT(counter == 3);
}
HARNESS(locks_old_three, "three threads take an old nested lock") = {
    .run = three, .preemptions = 2};

static void try(void)
{
	bool has_lock;

	old_init_nest_lock(lock());
	check_start(set_twice, NULL);
	has_lock = old_test_nest_lock(lock()) != 0;
	if (has_lock) {
		counter++;
		old_unset_nest_lock(lock());
	}
	check_join();
	EXPECT(counter == 1 + has_lock);
}
HARNESS(locks_old_try, "one thread takes an old nested lock, another one tries") = {.run = try};
