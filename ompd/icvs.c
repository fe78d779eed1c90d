/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Internal control variables: one table has the name of each, the object it belongs to, where its
 * value is and how it is printed. All have a number and a text. If the value is not a number, the
 * number is only a part of it (the first element of a list: ompd_rc_incomplete) or does not exist
 * (ompd_rc_incompatible).
 */
#include <stddef.h>

#include "handles.h"
#include "icv-text.h"
#include "library.h"
#include "walk.h"

/* The source of the value. */
enum source {
	CONSTANT,     /* the value is `constant` */
	OF_PROCESS,   /* a member of the process's record */
	OF_TASK_ICVS, /* a member of a task's variables */
	OF_TEAM,
	OF_THREAD,
	TASK_NUMBER, /* of the thread that executes the task, in the thread's team */
	TASK_FLAG,   /* `constant` is a bit in the task's flags */
	TASK_IS_EXPLICIT
};

/* The form of the value. */
enum form { NUMBER, SIGNED, STRING, LIST, SCHEDULE, PARTITION };

struct icv {
	ompd_icv_id_t id;
	const char *name;
	ompd_scope_t scope;
	enum source source;
	enum target_field_id field;
	enum form form;
	const struct icv_word *words; /* NULL: printed as a number */
	int64_t constant;
};

static const struct icv_list nthreads_list = {
    FIELD_rt_process_nthreads_list, FIELD_rt_task_icvs_nthreads, NULL};
static const struct icv_list bind_list = {
    FIELD_rt_process_bind_list, FIELD_rt_task_icvs_bind, icv_bind_words};

#define PROCESS(member) ompd_scope_address_space, OF_PROCESS, FIELD_rt_process_##member
#define TASK(member)    ompd_scope_task, OF_TASK_ICVS, FIELD_rt_task_icvs_##member
#define CURRENT(member) ompd_scope_thread, OF_TASK_ICVS, FIELD_rt_task_icvs_##member
#define TEAM(member)    ompd_scope_parallel, OF_TEAM, FIELD_rt_team_##member
#define THREAD(member)  ompd_scope_thread, OF_THREAD, FIELD_rt_thread_##member
#define FIXED           ompd_scope_address_space, CONSTANT, 0
#define BOOL            NUMBER, icv_bool_words

/* In the order of enumeration. Numbers never change: debuggers contain some of them. */
static const struct icv icvs[] = {
    {1, "dyn-var", CURRENT(dyn), BOOL},
    {2, "run-sched-var", TASK(run_sched_kind), SCHEDULE},
    {3, "stacksize-var", PROCESS(stack_bytes), NUMBER},
    {4, "cancel-var", PROCESS(cancellation), BOOL},
    {5, "max-task-priority-var", PROCESS(max_task_priority), SIGNED},
    {6, "debug-var", PROCESS(debug), BOOL},
    {7, "nthreads-var", CURRENT(nthreads), LIST},
    {8, "display-affinity-var", PROCESS(display_affinity), BOOL},
    {9, "affinity-format-var", PROCESS(affinity_format), STRING},
    {10, "default-device-var", CURRENT(default_device), SIGNED},
    {11, "tool-var", PROCESS(tool), BOOL},
    {12, "tool-libraries-var", PROCESS(tool_libraries), STRING},
    {13, "tool-verbose-init-var", PROCESS(tool_verbose_init), STRING},
    {14, "levels-var", TEAM(level), NUMBER},
    {15, "active-levels-var", TEAM(active_level), NUMBER},
    {16, "thread-limit-var", TASK(thread_limit), NUMBER},
    {17, "max-active-levels-var", TASK(max_active_levels), NUMBER},
    {18, "bind-var", TASK(bind), LIST},
    {19, "num-procs-var", PROCESS(processors), NUMBER},
    {20, "wait-policy-var", PROCESS(wait_policy), NUMBER, icv_wait_words},
    {21, "team-size-var", TEAM(size), NUMBER},
    {22, "thread-num-var", THREAD(number), NUMBER},
    {23, "final-task-var", ompd_scope_task, TASK_FLAG, 0, BOOL, RT_DEBUG_TASK_FINAL},
    {24, "implicit-task-var", ompd_scope_task, TASK_FLAG, 0, BOOL, RT_DEBUG_TASK_IMPLICIT},
    {31, "explicit-task-var", ompd_scope_task, TASK_IS_EXPLICIT, 0, BOOL},
    {32, "def-sched-var", FIXED, NUMBER, icv_schedule_words, 1},
    {34, "def-allocator-var", TASK(def_allocator), NUMBER, icv_allocator_words},
    {35, "target-offload-var", PROCESS(target_offload), NUMBER, icv_offload_words},
    {36, "nteams-var", PROCESS(num_teams), NUMBER},
    {37, "teams-thread-limit-var", PROCESS(teams_thread_limit), NUMBER},
    {38, "num-devices-var", FIXED, NUMBER, NULL, 0},
    {39, "device-num-var", FIXED, NUMBER, NULL, 0},
    {40, "team-num-var", THREAD(teams_number), NUMBER},
    {41, "league-size-var", THREAD(teams_count), NUMBER},
    /*
     * The names of these are from OpenMP 5.1 (5.4.9.2), which assigns them to tasks, while 5.2
     * assigns them to threads.
     */
    {42, "ompd-num-procs-var", PROCESS(processors), NUMBER},
    {43, "ompd-thread-num-var", ompd_scope_task, TASK_NUMBER, 0, NUMBER},
    {44, "ompd-final-task-var", ompd_scope_task, TASK_FLAG, 0, BOOL, RT_DEBUG_TASK_FINAL},
    {45, "ompd-implicit-task-var", ompd_scope_task, TASK_FLAG, 0, BOOL, RT_DEBUG_TASK_IMPLICIT},
    {46, "ompd-team-size-var", TEAM(size), NUMBER},
    /* Must be last: LLVM's debugger commands end their list at a variable without a number. */
    {33, "place-partition-var", TASK(partition_first), PARTITION},
};

static const struct icv_list *list_of(const struct icv *icv)
{
	return icv->field == nthreads_list.first ? &nthreads_list : &bind_list;
}

enum { ICVS = sizeof(icvs) / sizeof(icvs[0]) };

static const struct icv *find_icv(ompd_icv_id_t id)
{
	for (size_t i = 0; i < ICVS; i++)
		if (icvs[i].id == id)
			return &icvs[i];
	return NULL;
}

/*
 * Returns the variable after `current`, which is ompd_icv_undefined to get the first one. *more is
 * 0 with the last one. The debugger frees the name. On failure nothing is written.
 *   ompd_rc_bad_input     no variable has this number, it is the last, or an argument is NULL
 *   ompd_rc_stale_handle  handle is not an address space
 *   any other             an error of the allocation
 */
ompd_rc_t ompd_enumerate_icvs(ompd_address_space_handle_t *handle, ompd_icv_id_t current,
    ompd_icv_id_t *next_id, const char **next_icv_name, ompd_scope_t *next_scope, int *more)
{
	const struct icv *next = icvs;
	struct reader reader;
	ompd_rc_t rc = handle_open_space(handle, &reader);

	if (rc != ompd_rc_ok)
		return rc;
	if (next_id == NULL || next_icv_name == NULL || next_scope == NULL || more == NULL)
		return ompd_rc_bad_input;
	if (current != ompd_icv_undefined) {
		next = find_icv(current);
		if (next == NULL || ++next == icvs + ICVS)
			return ompd_rc_bad_input;
	}
	rc = text_copy(next->name, next_icv_name);
	if (rc != ompd_rc_ok)
		return rc;
	*next_id = next->id;
	*next_scope = next->scope;
	*more = next + 1 < icvs + ICVS;
	return ompd_rc_ok;
}

/* An object whose variables can be read, after its handle was checked. */
struct subject {
	ompd_scope_t scope;
	ompd_addr_t address; /* thread, team or task; for the address space: its process record */
};

static ompd_rc_t open_subject(void *opaque, ompd_scope_t scope, const void *result,
    struct reader *reader, struct subject *subject)
{
	static const enum handle_kind kinds[] = {[ompd_scope_thread] = HANDLE_THREAD,
	    [ompd_scope_parallel] = HANDLE_PARALLEL,
	    [ompd_scope_implicit_task] = HANDLE_TASK,
	    [ompd_scope_task] = HANDLE_TASK};
	const struct handle *handle;
	ompd_rc_t rc;

	if (scope < ompd_scope_global || scope > ompd_scope_task)
		return ompd_rc_bad_input;
	subject->scope = scope;
	if (scope <= ompd_scope_address_space) {
		const struct _ompd_aspace_handle *space = opaque;
		rc = handle_open_space(space, reader);
		if (rc == ompd_rc_ok)
			subject->address = space->roots[ROOT_rt_process];
		return rc == ompd_rc_ok && result == NULL ? ompd_rc_bad_input : rc;
	}
	rc = handle_open(opaque, kinds[scope], result, reader, &handle);
	if (rc == ompd_rc_ok)
		subject->address = handle->address;
	return rc;
}

/*
 * A task's variables can be read from the task and from the thread that executes it; other
 * variables only from the scope that the enumeration gives.
 */
static bool fits(const struct icv *icv, ompd_scope_t scope)
{
	if (icv->source == OF_TASK_ICVS)
		return scope == ompd_scope_thread || scope == ompd_scope_task ||
		       scope == ompd_scope_implicit_task;
	return scope == icv->scope ||
	       (icv->scope == ompd_scope_task && scope == ompd_scope_implicit_task);
}

/* Returns the structure that contains the variable's field. */
static ompd_addr_t holder(
    struct reader *reader, const struct icv *icv, const struct subject *subject)
{
	ompd_addr_t task = subject->address;

	if (icv->source != OF_TASK_ICVS)
		return subject->address;
	if (subject->scope == ompd_scope_thread)
		task = read_pointer(reader, subject->address, FIELD_rt_thread_task);
	return read_pointer(reader, task, FIELD_rt_task_icvs);
}

static int64_t read_value(struct reader *reader, const struct icv *icv, ompd_addr_t holder_address)
{
	switch (icv->source) {
	case CONSTANT:
		return icv->constant;
	case TASK_FLAG:
		return (read_field(reader, holder_address, FIELD_rt_task_flags) &
			   (uint64_t)icv->constant) != 0;
	case TASK_IS_EXPLICIT:
		return !walk_task_is_implicit(reader, holder_address);
	case TASK_NUMBER:
		return (int64_t)walk_task_number(reader, holder_address);
	default:
		return icv->form == SIGNED
			   ? read_signed(reader, holder_address, icv->field)
			   : (int64_t)read_field(reader, holder_address, icv->field);
	}
}

static ompd_rc_t open_icv(void *handle, ompd_scope_t scope, ompd_icv_id_t id, const void *result,
    struct reader *reader, const struct icv **icv, ompd_addr_t *holder_address)
{
	struct subject subject;
	ompd_rc_t rc = open_subject(handle, scope, result, reader, &subject);

	if (rc != ompd_rc_ok)
		return rc;
	*icv = find_icv(id);
	if (*icv == NULL)
		return ompd_rc_bad_input;
	if (!fits(*icv, scope))
		return ompd_rc_incompatible;
	*holder_address = holder(reader, *icv, &subject);
	return reader->rc;
}

/*
 * Returns a variable as a number.
 *   ompd_rc_incomplete    it is a list or a schedule: *icv_value is its first part
 *   ompd_rc_incompatible  it is not a number, or does not belong to objects of this scope
 *   ompd_rc_unavailable   it belongs to a task that no thread executes
 *   ompd_rc_bad_input     unknown number or scope, or icv_value is NULL
 *   ompd_rc_stale_handle  handle is not of this scope
 *   any other             what a callback returned
 */
ompd_rc_t ompd_get_icv_from_scope(
    void *handle, ompd_scope_t scope, ompd_icv_id_t icv_id, ompd_word_t *icv_value)
{
	const struct icv *icv;
	struct reader reader;
	ompd_addr_t from, rest;
	int64_t value;
	bool is_partial;
	ompd_rc_t rc = open_icv(handle, scope, icv_id, icv_value, &reader, &icv, &from);

	if (rc != ompd_rc_ok)
		return rc;
	if (icv->form == STRING || icv->form == PARTITION)
		return ompd_rc_incompatible;
	value = read_value(&reader, icv, from);
	is_partial = icv->form == SCHEDULE ||
		     (icv->form == LIST && icv_list_rest(&reader, list_of(icv), from, &rest) > 1);
	if (reader.rc != ompd_rc_ok)
		return reader.rc;
	*icv_value = value;
	return is_partial ? ompd_rc_incomplete : ompd_rc_ok;
}

/* Adds a text of the program's own, such as a format; longer ones are cut. */
static void add_string(
    struct reader *reader, const struct icv *icv, ompd_addr_t from, struct text *text)
{
	char words[TARGET_READ_BYTES];
	ompd_addr_t address = read_pointer(reader, from, icv->field);

	if (address == 0 && icv->field == FIELD_rt_process_affinity_format)
		text_add(text, RT_DEBUG_AFFINITY_FORMAT);
	if (address == 0)
		return;
	read_text(reader, address, words, sizeof(words));
	text_add(text, words);
}

/*
 * Returns a variable in words, which the debugger frees. The return codes are those for the number.
 */
ompd_rc_t ompd_get_icv_string_from_scope(
    void *handle, ompd_scope_t scope, ompd_icv_id_t icv_id, const char **icv_string)
{
	const struct icv *icv;
	struct reader reader;
	struct text text = {0};
	ompd_addr_t from;
	ompd_rc_t rc = open_icv(handle, scope, icv_id, icv_string, &reader, &icv, &from);

	if (rc != ompd_rc_ok)
		return rc;
	switch (icv->form) {
	case STRING:
		add_string(&reader, icv, from, &text);
		break;
	case LIST:
		icv_add_list(&reader, list_of(icv), from, &text);
		break;
	case SCHEDULE:
		icv_add_schedule(&reader, from, &text);
		break;
	case PARTITION:
		icv_add_partition(&reader, from, &text);
		break;
	case NUMBER:
	case SIGNED:
		icv_add_word(&text, icv->words, read_value(&reader, icv, from));
		break;
	}
	return text_finish(&text, reader.rc, icv_string);
}

/*
 * Returns what an OMPT tool attached to the object. The runtime does not support OMPT yet, so there
 * is nothing.
 *   ompd_rc_unsupported   always, for a valid handle
 *   ompd_rc_bad_input     unknown scope, or an argument is NULL
 *   ompd_rc_stale_handle  handle is not of this scope
 */
ompd_rc_t ompd_get_tool_data(
    void *handle, ompd_scope_t scope, ompd_word_t *value, ompd_address_t *ptr)
{
	struct reader reader;
	struct subject subject;
	ompd_rc_t rc = open_subject(handle, scope, value != NULL ? ptr : NULL, &reader, &subject);

	return rc != ompd_rc_ok ? rc : ompd_rc_unsupported;
}
