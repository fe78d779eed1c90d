/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the measurement tool: how it is started, and its callbacks. A process may have two
 * runtimes at once. Each starts the tool, and both report to the same callbacks, except for those
 * of struct tool_callbacks: our runtime provides more than OMPT does.
 */
#ifndef TOOL_H
#define TOOL_H

#include "pomp-atomics.h"
#include "omp-tools.h"
#include "shared/code-events.h"

/* Provided by our runtime: returns the entry of the construct's outlined function, or NULL. */
typedef const void *tool_outlined_function(void);
#define TOOL_OUTLINED_FUNCTION "ompinst_get_outlined_function"

struct tool_callback {
	ompt_callbacks_t event;
	ompt_callback_t function;
};

/* All callbacks, for any runtime and for ours; each list ends with event 0. */
extern const struct tool_callback tool_callbacks_of_any[], tool_callbacks_of_ours[];

/* Set before the callbacks of our runtime are. Relaxed: only the address itself is read. */
extern tool_outlined_function *_Atomic tool_outlined;

/* The address range of the code of a runtime other than ours, as far as it was found. */
struct tool_range {
	uintptr_t begin, end;
};
extern struct tool_range tool_runtime;

/* Some runtimes report an address in their own code for what they do in a construct. */
static inline const void *tool_user_address(const void *codeptr_ra)
{
	uintptr_t address = (uintptr_t)codeptr_ra;

	return address >= tool_runtime.begin && address < tool_runtime.end ? NULL : codeptr_ra;
}

/* Returns the place of a call of the runtime. */
static inline struct code_address tool_return_address(const void *codeptr_ra)
{
	return (struct code_address){.address = codeptr_ra, .at = CODE_RETURN};
}

/* For tasks: these use the data words of explicit tasks that are measured. */
void tool_task_create(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *task,
    int flags, int has_dependences, const void *codeptr_ra);
void tool_task_create_ours(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *task,
    int flags, int has_dependences, const void *codeptr_ra);
/* One more runtime: how to ask it for the current task. */
void tool_ask_for_tasks(ompt_get_task_info_t info);
void tool_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next);

void tool_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned implementation,
    ompt_wait_id_t wait, const void *codeptr_ra);
void tool_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t wait, const void *codeptr_ra);
void tool_mutex_released(ompt_mutex_t kind, ompt_wait_id_t wait, const void *codeptr_ra);
void tool_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait, const void *codeptr_ra);
void tool_lock_init(ompt_mutex_t kind, unsigned hint, unsigned implementation, ompt_wait_id_t wait,
    const void *codeptr_ra);
void tool_lock_destroy(ompt_mutex_t kind, ompt_wait_id_t wait, const void *codeptr_ra);

/*
 * Returns the construct's place: with our runtime its outlined function, if the runtime has
 * reported it.
 */
static inline struct code_address tool_place(const void *codeptr_ra, bool ours)
{
	struct code_address where = {.address = codeptr_ra, .at = CODE_RETURN, .is_gnu = ours};
	tool_outlined_function *outlined = ours ? load_relaxed(&tool_outlined) : NULL;
	const void *entry = outlined != NULL ? outlined() : NULL;

	if (entry != NULL) {
		where.address = entry;
		where.at = CODE_ENTRY;
		where.caller = codeptr_ra;
	}
	return where;
}

#endif
