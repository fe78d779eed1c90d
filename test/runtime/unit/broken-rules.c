/* SPDX-License-Identifier: BSD-3-Clause */
/* The runtime ends the process when one of its functions is called against its rule. */
#include <pthread.h>
#include <stdlib.h>

#include "allocators.h"
#include "broken-rule.h"
#include "chunk-stealing.h"
#include "extra-slots.h"
#include "initial-thread.h"
#include "parallel-region.h"
#include "places.h"
#include "process.h"
#include "team-events.h"
#include "teams.h"

static struct rt_deque deque;
static struct rt_task task;

static void *push(void *argument)
{
	(void)argument;
	rt_deque_push(&deque, &task);
	return NULL;
}

static void push_as_thief(void)
{
	pthread_t thief;

	rt_deque_begin(&deque);
	push(NULL);
	pthread_create(&thief, NULL, push, NULL);
	pthread_join(thief, NULL);
}

static struct rt_barrier barrier;

static void resize_with_a_member_inside(void)
{
	rt_barrier_resize(&barrier, 2);
	rt_barrier_arrive(&barrier, 0);
	rt_barrier_resize(&barrier, 3);
}

static void arrive_as_a_third_of_two(void)
{
	rt_barrier_resize(&barrier, 2);
	rt_barrier_arrive(&barrier, 2);
}

static void open_as_the_first(void)
{
	rt_barrier_resize(&barrier, 2);
	rt_barrier_arrive(&barrier, 0);
	rt_barrier_open(&barrier);
}

static void ask_for_a_place_beyond_the_list(void)
{
	rt_places_get(&rt_process.places, rt_process.places.count);
}

static void align_to_three(void)
{
	free(rt_memory_allocate(3, 1, false, omp_default_mem_alloc));
}

static void free_a_slot_twice(void)
{
	struct rt_extra_slots extras = {0};

	rt_extra_new(&extras, 1);
	rt_extra_free(&extras, 1);
	rt_extra_free(&extras, 1);
}

static void end_no_region(void)
{
	rt_parallel_end(rt_self());
}

static void join_for_another_thread(void)
{
	struct rt_thread other = *rt_self();

	rt_team_join(&other);
}

static void show_a_tool_that_is_not_there(void)
{
	rt_tool_end_implicit_task(rt_self());
}

int main(void)
{
	static const struct broken_rule rules[] = {
	    {"rt_deque_push(): the owner pushes", push_as_thief},
	    {"rt_barrier_resize(): no member is inside", resize_with_a_member_inside},
	    {"rt_barrier_arrive(): the barrier has the member", arrive_as_a_third_of_two},
	    {"rt_barrier_open(): the member that arrives last opens the barrier",
		open_as_the_first},
	    {"rt_places_get(): the list has the place", ask_for_a_place_beyond_the_list},
	    {"rt_memory_allocate(): the alignment is a power of two", align_to_three},
	    {"rt_extra_free(): the construct has a slot", free_a_slot_twice},
	    {"rt_parallel_end(): the thread is in a region", end_no_region},
	    {"rt_team_join(): the calling member arrives", join_for_another_thread},
	    {"rt_tool_end_implicit_task(): a tool is attached", show_a_tool_that_is_not_there},
	};

	return broken_rules_are_found(rules, sizeof(rules) / sizeof(rules[0]));
}
