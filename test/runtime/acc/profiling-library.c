/* SPDX-License-Identifier: BSD-3-Clause */
/* A profiling tool as ACC_PROFLIB names it: counts compute constructs. See profiling-loaded.c. */
#include <acc_prof.h>

int tool_starts, tool_ends;

static void count_event(acc_prof_info *prof, acc_event_info *event, acc_api_info *api)
{
	(void)event;
	(void)api;
	if (prof->event_type == acc_ev_compute_construct_start)
		tool_starts++;
	else
		tool_ends++;
}

void acc_register_library(acc_prof_reg add, acc_prof_reg remove, acc_prof_lookup_func lookup)
{
	(void)remove;
	(void)lookup;
	add(acc_ev_compute_construct_start, count_event, acc_reg);
	add(acc_ev_compute_construct_end, count_event, acc_reg);
}
