/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library's beginning and end, and what becomes of it in a forked child. It is linked with
 * -z nodelete: dlclose() by the last user must not unmap code that threads are waiting in.
 */
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "profile.h"
#include "debug.h"
#include "message.h"
#include "process.h"
#include "team.h"

/*
 * The child has the calling thread only. Hot teams below its place would wait for workers that do
 * not exist, so it forgets them (their memory is lost); at the next region it makes new ones. A
 * region that it is in can be left only by exec or exit, as POSIX allows a multithreaded program no
 * more.
 */
static void after_fork_in_child(void)
{
	struct rt_thread *self = rt_current;

	rt_debug_forked(self);
	if (self == NULL)
		return;
	self->member->inner = NULL;
	self->member->solo = NULL;
	self->contexts = NULL;
	store_relaxed(&self->team->busy, 0);
}

__attribute__((constructor)) static void begin(void)
{
	rt_environment_read();
	rt_debug_start();
	rt_threads.loader = rt_debug_mark_locks(); /* it may take some before it has a record */
	pthread_atfork(NULL, NULL, after_fork_in_child);
	rt_acc_load_tools(rt_process.acc_tools);
}

/*
 * Ends the pool of the thread that ends the process, unless it does so inside a region, where its
 * team is still at work. Other threads end theirs when they end themselves; while there are any
 * they may begin regions, so the settings stay.
 */
__attribute__((destructor)) static void end(void)
{
	if (rt_current != NULL)
		rt_thread_leave(rt_current);
	if (!rt_threads_remain()) {
		rt_acc_drop_tools();
		rt_environment_finish();
	}
}

/*
 * The error directive with at(execution); the text ends in a null byte if its length is SIZE_MAX.
 * The words are those of the library that this one stands in for: scripts look for them.
 */
static void say(const char *words, const char *text, size_t length)
{
	rt_message_text("\n", 1);
	rt_message_text(words, strlen(words));
	if (text != NULL) {
		rt_message_text(": ", 2);
		rt_message_text(text, length != SIZE_MAX ? length : strlen(text));
	}
	rt_message_text("\n", 1);
}

ENTRY(void, GOMP_warning, const char *text, size_t length)
{
	say("libgomp: error directive encountered", text, length);
}

ENTRY(void, GOMP_error, const char *text, size_t length)
{
	say("libgomp: fatal error: error directive encountered", text, length);
	exit(EXIT_FAILURE);
}
