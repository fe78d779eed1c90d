/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Target regions on the host, the error directive, and omp_control_tool().
 */
#include "check.h"

#include <string.h>

static uint64_t targets; /* atomic: numbers of target regions and of operations */

/*
 * Handles a begin or its end. The word is the tool's from begin to end; if it is a task's, or NULL,
 * nothing is tracked.
 */
static void check_pair(struct thread *me, enum scope_class class, ompt_scope_endpoint_t endpoint,
    int kind, uint64_t *word)
{
	struct task *task = me->current;
	struct scope *begun, ended;

	if (!task)
		return;
	if (endpoint == ompt_scope_begin) {
		begun = scope_begin(task, class, kind);
		if (!word)
			return;
		if (*word)
			violation(RULE_data_starts_empty, "the word is %#llx, expected 0",
			    (unsigned long long)*word);
		*word = begun->count = (uint64_t)0xc4 << 56 | add(&targets, 1);
	} else if (endpoint == ompt_scope_end) {
		if (!scope_end(task, class, kind, &ended))
			return;
		if ((word ? *word : 0) != ended.count)
			violation(RULE_target_pair, "the word is %#llx, expected %#llx",
			    (unsigned long long)(word ? *word : 0),
			    (unsigned long long)ended.count);
	} else if (endpoint != ompt_scope_beginend || class != SCOPE_TARGET_OP) {
		violation(RULE_scope_endpoint, "endpoint %d, expected 1 or 2", (int)endpoint);
	}
}

/*
 * A target task executes a deferred target region. The callback names the task that generated the
 * target task or, because that may no longer exist, the target task itself.
 */
static bool check_task(
    struct thread *me, ompt_target_t kind, ompt_data_t *task_data, ompt_data_t *target_task_data)
{
	struct task *task;

	if (kind < ompt_target_nowait || !target_task_data || task_data == target_task_data)
		return named_task(me, task_data) != NULL;
	task = named_task(me, target_task_data);
	if (!task || !find_task(task_data))
		return false;
	if (!task->parent || task->parent->home != task_data)
		violation(RULE_current_task, "task data %p, expected the generating task's, %p",
		    (void *)task_data, task->parent ? (void *)task->parent->home : NULL);
	return true;
}

static void target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
    ompt_data_t *task_data, ompt_data_t *target_task_data, ompt_data_t *target_data,
    const void *code)
{
	struct thread *me = enter(EVENT_target_emi);

	(void)device;
	if (!me)
		return;
	if (!check_task(me, kind, task_data, target_task_data))
		return;
	if (kind < ompt_target || kind > ompt_target_update_nowait ||
	    (kind > ompt_target_update && kind < ompt_target_nowait))
		violation(RULE_target_pair, "kind %d", (int)kind);
	check_code(code, false);
	check_pair(me, SCOPE_TARGET, endpoint, kind, target_data ? &target_data->value : NULL);
}
const ompt_callback_target_emi_t on_target_emi = target_emi;

static void target_data_op_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task_data,
    ompt_data_t *target_data, ompt_id_t *host_op_id, ompt_target_data_op_t kind, void *source,
    int source_device, void *destination, int destination_device, size_t bytes, const void *code)
{
	struct thread *me = enter(EVENT_target_data_op_emi);

	(void)target_task_data;
	(void)target_data;
	(void)source;
	(void)source_device;
	(void)destination;
	(void)destination_device;
	(void)bytes;
	if (!me)
		return;
	check_code(code, false);
	check_pair(me, SCOPE_TARGET_OP, endpoint, kind, host_op_id);
}
const ompt_callback_target_data_op_emi_t on_target_data_op_emi = target_data_op_emi;

static void target_submit_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_data,
    ompt_id_t *host_op_id, unsigned requested_teams)
{
	struct thread *me = enter(EVENT_target_submit_emi);

	(void)target_data;
	(void)requested_teams;
	if (me)
		check_pair(me, SCOPE_TARGET_SUBMIT, endpoint, 0, host_op_id);
}
const ompt_callback_target_submit_emi_t on_target_submit_emi = target_submit_emi;

static void target_map_emi(ompt_data_t *target_data, unsigned count, void **host, void **device,
    size_t *bytes, unsigned *flags, const void *code)
{
	(void)target_data;
	(void)host;
	(void)device;
	(void)bytes;
	(void)flags;
	if (!enter(EVENT_target_map_emi))
		return;
	if (!count)
		violation(RULE_target_pair, "nothing is mapped");
	check_code(code, false);
}
const ompt_callback_target_map_emi_t on_target_map_emi = target_map_emi;

static int control_tool(uint64_t command, uint64_t modifier, void *argument, const void *code)
{
	(void)command;
	(void)modifier;
	(void)argument;
	if (enter(EVENT_control_tool))
		check_code(code, true);
	return 0;
}
const ompt_callback_control_tool_t on_control_tool = control_tool;

static void error(ompt_severity_t severity, const char *message, size_t length, const void *code)
{
	if (!enter(EVENT_error))
		return;
	if (severity != ompt_warning && severity != ompt_fatal)
		violation(RULE_error_message, "severity %d, expected 1 or 2", (int)severity);
	if (message ? strnlen(message, length + 1) != length : length != 0)
		violation(RULE_error_message, "message at %p of %zu characters, expected %zu",
		    (const void *)message, message ? strnlen(message, length + 1) : 0, length);
	check_code(code, true);
}
const ompt_callback_error_t on_error = error;
