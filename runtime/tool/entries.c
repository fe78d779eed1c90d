/* SPDX-License-Identifier: BSD-3-Clause */
/* The entry points by name (OpenMP 5.2, 19.6). Those that tell of tasks are in inquiry.c. */
#include "entries.h"

#include <string.h>

#include "callbacks.h"
#include "events.h"
#include "finalize.h"
#include "inquiry.h"

struct entry {
	const char *name;
	ompt_interface_fn_t function;
};

static const struct entry entries[] = {
    {"ompt_set_callback", (ompt_interface_fn_t)rt_callback_set},
    {"ompt_get_callback", (ompt_interface_fn_t)rt_callback_get},
    {"ompt_get_thread_data", (ompt_interface_fn_t)rt_inquire_thread_data},
    {"ompt_get_state", (ompt_interface_fn_t)rt_inquire_state},
    {"ompt_get_parallel_info", (ompt_interface_fn_t)rt_inquire_parallel},
    {"ompt_get_task_info", (ompt_interface_fn_t)rt_inquire_task},
    {"ompt_get_task_memory", (ompt_interface_fn_t)rt_inquire_task_memory},
    {"ompt_get_unique_id", (ompt_interface_fn_t)rt_event_unique_id},
    {"ompt_finalize_tool", (ompt_interface_fn_t)rt_tool_finalize},
    {"ompinst_get_outlined_function", (ompt_interface_fn_t)rt_inquire_code},
};

ompt_interface_fn_t rt_entry_lookup(const char *name)
{
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		if (strcmp(entries[i].name, name) == 0)
			return entries[i].function;
	return NULL;
}
