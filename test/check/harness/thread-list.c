/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The list of threads, as a thread reads it that does not stop the process: a thread that reaches a
 * record sees what was written in it before it was listed. One thread is listed while another one
 * comes and goes.
 */
#include "check.h"
#include "thread.h"

static struct rt_thread stays, goes;

static void come_and_stay(void *argument)
{
	(void)argument;
	rt_debug_thread_begin(&stays);
}

static void come_and_go(void *argument)
{
	(void)argument;
	rt_debug_thread_begin(&goes);
	rt_debug_thread_end(&goes);
}

/* A record that goes is not looked at: its own thread writes to it again. */
static void run(void)
{
	uint32_t found = 0;

	check_start(come_and_stay, NULL);
	check_start(come_and_go, NULL);
	for (struct rt_thread *thread = load_acquire(&rt_threads.first); thread != NULL;
	     thread = load_relaxed(&thread->listed_next))
		if (thread == &stays) {
			EXPECT(thread->system_id != 0);
			found++;
		}
	check_join();
	EXPECT(found <= 1);
	EXPECT(load_relaxed(&rt_threads.first) != &goes);
}
HARNESS(thread_list_reader, "a list of threads is read while threads come and go") = {.run = run};
