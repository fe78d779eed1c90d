/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What threads are doing. The runtime records a wait when it begins, together with the waiting
 * task: a thread that meanwhile executes another task is working. This does not need OMP_DEBUG. The
 * extension that lists all threads is here, too.
 */
#include <stddef.h>

#include "handles.h"
#include "debugger-text.h"
#include "ompd-extensions.h"
#include "walk.h"

struct state {
	ompt_state_t state;
	const char *name;
};

/* In the order of enumeration: the first one requests the first state. */
static const struct state states[] = {
    {ompt_state_undefined, "ompt_state_undefined"},
    {ompt_state_work_serial, "ompt_state_work_serial"},
    {ompt_state_work_parallel, "ompt_state_work_parallel"},
    {ompt_state_wait_barrier, "ompt_state_wait_barrier"},
    {ompt_state_wait_barrier_implicit_parallel, "ompt_state_wait_barrier_implicit_parallel"},
    {ompt_state_wait_taskwait, "ompt_state_wait_taskwait"},
    {ompt_state_wait_taskgroup, "ompt_state_wait_taskgroup"},
    {ompt_state_wait_mutex, "ompt_state_wait_mutex"},
    {ompt_state_wait_lock, "ompt_state_wait_lock"},
    {ompt_state_wait_critical, "ompt_state_wait_critical"},
    {ompt_state_wait_atomic, "ompt_state_wait_atomic"},
    {ompt_state_wait_ordered, "ompt_state_wait_ordered"},
    {ompt_state_idle, "ompt_state_idle"},
};

enum { STATES = sizeof(states) / sizeof(states[0]) };

/*
 * Returns the state after current_state, which is ompt_state_undefined to get the first one.
 * *more_enums is 0 with the last one. The debugger frees the name. On failure nothing is written.
 *   ompd_rc_bad_input     an unknown state, the last one, or a NULL argument
 *   ompd_rc_stale_handle  address_space_handle is not an address space
 *   any other             an error of the allocation
 */
ompd_rc_t ompd_enumerate_states(ompd_address_space_handle_t *address_space_handle,
    ompd_word_t current_state, ompd_word_t *next_state, const char **next_state_name,
    ompd_word_t *more_enums)
{
	struct reader reader;
	size_t next = 1;
	ompd_rc_t rc = handle_open_space(address_space_handle, &reader);

	if (rc != ompd_rc_ok)
		return rc;
	if (next_state == NULL || next_state_name == NULL || more_enums == NULL)
		return ompd_rc_bad_input;
	while (next < STATES && (ompd_word_t)states[next - 1].state != current_state)
		next++;
	if (next == STATES)
		return ompd_rc_bad_input;
	rc = text_copy(states[next].name, next_state_name);
	if (rc != ompd_rc_ok)
		return rc;
	*next_state = states[next].state;
	*more_enums = next + 1 < STATES;
	return ompd_rc_ok;
}

static bool is_known(uint64_t state)
{
	for (size_t i = 1; i < STATES; i++)
		if ((uint64_t)states[i].state == state)
			return true;
	return false;
}

struct activity {
	uint64_t state, wait_id;
};

static struct activity working(struct reader *reader, ompd_addr_t team)
{
	if (read_field(reader, team, FIELD_rt_team_level) == 0)
		return (struct activity){ompt_state_work_serial, 0};
	return (struct activity){ompt_state_work_parallel, 0};
}

/*
 * A worker that has arrived at the end of its region only records that it is idle; until the region
 * has ended for all, it waits for the others.
 */
static struct activity read_activity(struct reader *reader, ompd_addr_t thread)
{
	ompd_addr_t note = field_address(reader, thread, FIELD_rt_thread_waiting);
	struct activity noted = {read_field(reader, note, FIELD_rt_waiting_state),
	    read_pointer(reader, note, FIELD_rt_waiting_id)};
	ompd_addr_t team = walk_current_team(reader, thread);

	if (reader->rc != ompd_rc_ok)
		return noted;
	if (team == 0)
		return (struct activity){ompt_state_idle, 0};
	if (noted.state == 0 || read_pointer(reader, note, FIELD_rt_waiting_task) !=
				    read_pointer(reader, thread, FIELD_rt_thread_task))
		return working(reader, team);
	reader_expect(reader, is_known(noted.state));
	if (noted.state == ompt_state_idle)
		noted.state = ompt_state_wait_barrier_implicit_parallel;
	return noted;
}

/*
 * Returns what the thread does, and the object that it waits for: the program's lock, the symbol of
 * a critical construct, the team of a barrier, the task of a taskwait, or the group. 0: it does not
 * wait. wait_id may be NULL.
 *   ompd_rc_bad_input     state is NULL
 *   ompd_rc_stale_handle  thread_handle is not a thread
 *   any other             what a callback returned
 */
ompd_rc_t ompd_get_state(
    ompd_thread_handle_t *thread_handle, ompd_word_t *state, ompd_wait_id_t *wait_id)
{
	const struct handle *thread;
	struct activity activity;
	struct reader reader;
	ompd_rc_t rc = handle_open(thread_handle, HANDLE_THREAD, state, &reader, &thread);

	if (rc != ompd_rc_ok)
		return rc;
	activity = read_activity(&reader, thread->address);
	if (reader.rc != ompd_rc_ok)
		return reader.rc;
	*state = (ompd_word_t)activity.state;
	if (wait_id != NULL)
		*wait_id = activity.wait_id;
	return ompd_rc_ok;
}

/* Where the thread is: its region, and its number there. */
static void read_place(struct reader *reader, ompd_addr_t thread, ompdx_thread_t *row)
{
	ompd_addr_t member;

	row->region = walk_current_team(reader, thread);
	if (row->region == 0)
		return;
	member = read_pointer(reader, thread, FIELD_rt_thread_member);
	row->task = read_pointer(reader, thread, FIELD_rt_thread_task);
	row->level = (uint32_t)read_field(reader, row->region, FIELD_rt_team_level);
	row->size = (uint32_t)read_field(reader, row->region, FIELD_rt_team_size);
	row->number = (uint32_t)read_field(reader, thread, FIELD_rt_thread_number);
	row->function =
	    walk_function(reader, field_address(reader, member, FIELD_rt_member_implicit));
	reader_expect(reader, row->number < row->size);
}

static bool is_fault_of_record(ompd_rc_t rc)
{
	return rc == ompd_rc_error || rc == ompd_rc_device_read_error;
}

/*
 * An error in the thread's own records is the row's; the reads continue unless they are used up.
 */
static ompdx_thread_t read_row(struct reader *reader, ompd_addr_t thread)
{
	ompdx_thread_t row = {.thread = read_field(reader, thread, FIELD_rt_thread_system_id)};
	ompd_addr_t note = field_address(reader, thread, FIELD_rt_thread_waiting);
	struct activity activity;

	if (reader->rc != ompd_rc_ok)
		return row;
	read_place(reader, thread, &row);
	activity = read_activity(reader, thread);
	row.state = (uint32_t)activity.state;
	row.object = activity.wait_id;
	if (row.object != 0)
		row.until = read_field(reader, note, FIELD_rt_waiting_until);
	if (is_fault_of_record(reader->rc) && reader->budget > 0 && reader->fetches > 0) {
		row = (ompdx_thread_t){.thread = row.thread, .problem = (uint32_t)reader->rc};
		reader->rc = ompd_rc_ok;
	}
	return row;
}

ompd_rc_t ompdx_get_threads(ompd_address_space_handle_t *process, ompdx_thread_t *threads,
    ompd_size_t room, ompd_size_t *count)
{
	struct thread_walk walk;
	struct reader reader;
	ompd_size_t found = 0;
	ompd_rc_t rc;

	if (process != NULL && (count == NULL || (threads == NULL && room != 0)))
		return ompd_rc_bad_input;
	rc = handle_open_space(process, &reader);
	if (rc != ompd_rc_ok)
		return rc;
	for (ompd_addr_t thread = walk_threads(&walk, &reader); thread != 0;
	     thread = walk_next_thread(&walk)) {
		ompdx_thread_t row = read_row(&reader, thread);
		if (reader.rc == ompd_rc_ok && found < room)
			threads[found] = row;
		found++;
	}
	if (reader.rc == ompd_rc_ok)
		*count = found;
	return reader.rc;
}
