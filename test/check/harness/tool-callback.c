/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tool registers a callback while another thread of the program has locks and ordered regions: a
 * thread that calls the callback sees what the tool wrote before. In every order.
 */
#include "callbacks.h"
#include "check.h"
#include "events.h"
#include "nest-lock.h"
#include "program-mutex.h"
#include "synchronization.h"
#include "team-by-hand.h"

enum kind { ACQUIRE, TRY, ACQUIRED, RELEASED, INIT, DESTROY, NEST_LOCK, ORDERED };

/* What is registered, by what the other thread does. */
static const ompt_callbacks_t callbacks[] = {
    [ACQUIRE] = ompt_callback_mutex_acquire,
    [TRY] = ompt_callback_mutex_acquire,
    [ACQUIRED] = ompt_callback_mutex_acquired,
    [RELEASED] = ompt_callback_mutex_released,
    [INIT] = ompt_callback_lock_init,
    [DESTROY] = ompt_callback_lock_destroy,
    [NEST_LOCK] = ompt_callback_mutex_acquire,
    [ORDERED] = ompt_callback_mutex_acquire,
};

static uint32_t kind;
static int prepared; /* by the tool */
static struct rt_mutex mutex;
static struct rt_nest_lock nest_lock;

static void on_acquire(
    ompt_mutex_t of, unsigned hint, unsigned implementation, ompt_wait_id_t id, const void *caller)
{
	(void)of;
	(void)hint;
	(void)implementation;
	(void)id;
	(void)caller;
	EXPECT(prepared == 1);
}

static void on_mutex(ompt_mutex_t of, ompt_wait_id_t id, const void *caller)
{
	(void)of;
	(void)id;
	(void)caller;
	EXPECT(prepared == 1);
}

static void emit(void *argument)
{
	(void)argument;
	rt_self();
	switch ((enum kind)kind) {
	case ACQUIRE:
	case ACQUIRED:
		rt_mutex_lock_watched(&mutex, ompt_mutex_lock, NULL);
		break;
	case TRY:
		EXPECT(rt_mutex_try_watched(&mutex, ompt_mutex_lock, NULL));
		break;
	case RELEASED:
		EXPECT(rt_mutex_try(&mutex));
		rt_mutex_unlock_watched(&mutex, ompt_mutex_lock, NULL);
		break;
	case INIT:
		rt_lock_init_watched(&mutex, ompt_mutex_lock, 0, NULL);
		break;
	case DESTROY:
		rt_lock_destroy_watched(&mutex, ompt_mutex_lock, NULL);
		break;
	case NEST_LOCK:
		nest_lock.count = 1;
		store_relaxed(&nest_lock.owner, rt_self()->task);
		rt_nest_lock_set_watched(&nest_lock, NULL);
		break;
	case ORDERED:
		rt_ordered_begin_watched(NULL);
	}
}

static void registered(void)
{
	bool is_long;

	kind = check_choose(sizeof(callbacks) / sizeof(callbacks[0]));
	is_long = callbacks[kind] == ompt_callback_mutex_acquire ||
		  callbacks[kind] == ompt_callback_lock_init;
	rt_self();
	rt_callbacks_publish();
	check_start(emit, NULL);
	prepared = 1;
	rt_callback_set(
	    callbacks[kind], is_long ? (ompt_callback_t)on_acquire : (ompt_callback_t)on_mutex);
	check_join();
}
HARNESS(tool_callback_registered, "a tool registers a callback that another thread calls") = {
    .run = registered};
