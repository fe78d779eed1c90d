/* SPDX-License-Identifier: BSD-3-Clause */
/* Emits the events of target constructs, in both forms that a tool may have registered. */
#include "target-events.h"

#include "events.h"
#include "task.h"

enum { HOST = 0 }; /* omp_get_initial_device() */

/*
 * Shows the task that executes the construct: the task that generated a deferred target task may be
 * gone, and its words with it.
 */
static void emit(const struct rt_target_note *note, ompt_scope_endpoint_t endpoint)
{
	rt_emit_target((ompt_target_t)note->kind, endpoint, HOST, &note->task->tool.data, note->id,
	    note->caller);
	rt_emit_target_emi((ompt_target_t)note->kind, endpoint, HOST, &note->task->tool.data,
	    note->target_task != NULL ? &note->target_task->tool.data : NULL,
	    (ompt_data_t *)&note->data, note->caller);
}

void rt_target_begin(struct rt_thread *self, struct rt_target_note *note, ompt_target_t kind,
    struct rt_task *target_task, const void *caller)
{
	*note = (struct rt_target_note){.kind = kind,
	    .id = rt_event_unique_id(),
	    .task = self->task,
	    .target_task = target_task,
	    .caller = rt_tool_users_address(caller),
	    .outer = self->tool.target};
	self->tool.target = note;
	emit(note, ompt_scope_begin);
}

void rt_target_end(struct rt_thread *self, struct rt_target_note *note)
{
	emit(note, ompt_scope_end);
	self->tool.target = note->outer;
}

/* A tool with the newer form numbers operations itself: it finds 0 and writes its own number. */
void rt_target_submit(struct rt_target_note *note, unsigned teams)
{
	note->operation =
	    rt_event_is_set(ompt_callback_target_submit_emi) ? 0 : rt_event_unique_id();
	rt_emit_target_submit(note->id, note->operation, teams);
	rt_emit_target_submit_emi(ompt_scope_begin, &note->data, &note->operation, teams);
	rt_emit_target_submit_emi(ompt_scope_end, &note->data, &note->operation, teams);
}
