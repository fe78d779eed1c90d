/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that the runtime did not create: they come and end, with their teams. Each has its copies
 * of threadprivate variables, all threads find the same places for these, and a thread that ends
 * destroys its own copies. If the process ends while a tool is attached, the tool sees all ends,
 * and the workers continue. At random, or within a preemption, except for the end alone.
 */
#include "check.h"
#include "team-by-hand.h"
#include "threadprivate.h"

void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags);
void *__kmpc_threadprivate_cached(
    const void *where, int32_t gtid, void *original, size_t size, rt_threadprivate_cache *cache);

static int original = 7, original_of_destroyed;
static rt_threadprivate_cache cache;
static int members, destroyed;

static void use(void *argument)
{
	int *own = __kmpc_threadprivate_cached(NULL, 0, &original, sizeof(original), &cache);

	(void)argument;
	EXPECT(*own == 7);
	*own = 8;
	EXPECT(__kmpc_threadprivate_cached(NULL, 0, &original, sizeof(original), &cache) == own);
	EXPECT(*own == 8);
}

static void copies(void)
{
	hand_no_spinning();
	check_start(use, NULL);
	check_start(use, NULL);
	check_join();
	EXPECT(original == 7);
}
HARNESS(initial_thread_copies, "two threads ask for a threadprivate variable") = {
    .run = copies, .random_runs = 500};

static void destroy(void *copy)
{
	(void)copy;
	destroyed++;
}

/* It ends when it returns, which calls its key's destructor. */
static void come_and_end(void *argument)
{
	(void)argument;
	rt_threadprivate_get(
	    rt_self(), &original_of_destroyed, sizeof(original_of_destroyed), NULL);
}

static void end(void)
{
	static const struct rt_threadprivate_functions functions = {.destroy = destroy};

	rt_threadprivate_describe(&original_of_destroyed, &functions);
	check_start(come_and_end, NULL);
	check_join();
	EXPECT(destroyed == 1);
}
HARNESS(initial_thread_end, "a thread that ends destroys its threadprivate variables") = {
    .run = end};

static void body(void *argument)
{
	(void)argument;
	__atomic_fetch_add(&members, 1, __ATOMIC_RELAXED);
}

static void fork_and_end(void *argument)
{
	(void)argument;
	hand_no_spinning();
	GOMP_parallel(body, NULL, 2, 0);
}

static void pool(void)
{
	check_start(fork_and_end, NULL);
	check_join();
	EXPECT(members == 2);
}
HARNESS(initial_thread_pool, "a thread that ends takes its workers with it") = {
    .run = pool, .preemptions = 1};

static void larger_pool(void *argument)
{
	(void)argument;
	hand_no_spinning();
	GOMP_parallel(body, NULL, 3, 0);
	GOMP_parallel(body, NULL, 2, 0);
}

static void parked(void)
{
	check_start(larger_pool, NULL);
	check_join();
	EXPECT(members == 5);
}
HARNESS(initial_thread_parked, "a thread that ends wakes workers that no region needs") = {
    .run = parked, .random_runs = 4000};

/* What a tool does at the end of a thread, which its finalizer relies on. */
static int ends[2];

static void see_end(ompt_data_t *thread)
{
	(void)thread;
	ends[rt_current->is_worker]++;
}

static void end_with_process(void *argument)
{
	(void)argument;
	hand_no_spinning();
	GOMP_parallel(body, NULL, 2, 0);
	rt_thread_emit_ends(rt_current);
	EXPECT(ends[false] == 1);
	EXPECT(ends[true] == 1);
	GOMP_parallel(body, NULL, 2, 0);
}

static void emitted(void)
{
	rt_watch(RT_BY_TOOL);
	store_relaxed(&rt_events.callbacks[ompt_callback_thread_end], (ompt_callback_t)see_end);
	store_relaxed(&rt_events.set,
	    RT_EVENT_BIT(RT_TOOL_ATTACHED) | RT_EVENT_BIT(ompt_callback_thread_end));
	check_start(end_with_process, NULL);
	check_join();
	EXPECT(members == 4);
	EXPECT(ends[true] == 2); /* when the pool ended */
}
HARNESS(initial_thread_emits_ends, "workers emit their ends when the process does, and go on") = {
    .run = emitted, .random_runs = 4000};
