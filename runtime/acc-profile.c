/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The entry points of OpenACC 2.6's profiling interface, chapter 5, for programs that contain a
 * tool. No event is ever delivered, which is a limit of this library: what would tell of transfers
 * and queues has no counterpart on the host, but compute and data constructs would have. A tool
 * that registers is accepted and hears nothing, and tools that ACC_PROFLIB names are not looked
 * for.
 */
#include "acc-api.h"

void acc_prof_register(acc_event_t event, acc_prof_callback callback, acc_register_t how)
{
	(void)event;
	(void)callback;
	(void)how;
}

void acc_prof_unregister(acc_event_t event, acc_prof_callback callback, acc_register_t how)
{
	(void)event;
	(void)callback;
	(void)how;
}

/* There are no functions for tools beyond those that they are linked to. */
acc_query_fn acc_prof_lookup(const char *name)
{
	(void)name;
	return NULL;
}

/* For tools to define; this one stands in where none does. */
void acc_register_library(acc_prof_reg add, acc_prof_reg drop, acc_prof_lookup_func lookup)
{
	(void)add;
	(void)drop;
	(void)lookup;
}
