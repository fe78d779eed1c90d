/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread of a tool registers a callback while another thread publishes the registered callbacks,
 * or withdraws all: the answer to the registration stays true. Two threads, complete.
 */
#include "callbacks.h"
#include "check.h"
#include "events.h"

static ompt_set_result_t answer;

static void on_flush(ompt_data_t *thread, const void *caller)
{
	(void)thread;
	(void)caller;
}

static void set_one(void *argument)
{
	ompt_callback_t found;

	(void)argument;
	answer = rt_callback_set(ompt_callback_flush, (ompt_callback_t)on_flush);
	if (rt_callback_get(ompt_callback_flush, &found))
		EXPECT(found == (ompt_callback_t)on_flush);
}

static void publish(void)
{
	check_start(set_one, NULL);
	rt_callbacks_publish();
	check_join();
	EXPECT(answer != ompt_set_error);
	EXPECT(rt_events_any(RT_EVENT_BIT(ompt_callback_flush)));
}
HARNESS(tool_registration_published, "a callback is registered while callbacks are published") = {
    .run = publish};

static void withdraw(void)
{
	rt_callbacks_publish();
	check_start(set_one, NULL);
	EXPECT(rt_callbacks_withdraw());
	EXPECT(!rt_events_any(RT_EVENT_BIT(ompt_callback_flush)));
	check_join();
	EXPECT(load_relaxed(&rt_events.set) == 0);
	EXPECT(rt_callback_set(ompt_callback_flush, (ompt_callback_t)on_flush) == ompt_set_error);
	EXPECT(!rt_callbacks_withdraw());
}
HARNESS(tool_registration_withdrawn, "a callback is registered while all are withdrawn") = {
    .run = withdraw};
