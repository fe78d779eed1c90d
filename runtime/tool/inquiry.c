/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the records of the calling thread for a tool. Nothing here allocates, locks or waits. */
#include "inquiry.h"

#include "team.h"
#include "wait-note.h"

/*
 * The calling thread's record. NULL if it has none, or if its team is being freed because the
 * thread ends: a signal handler may ask even then.
 */
static const struct rt_thread *known_self(void)
{
	const struct rt_thread *self = rt_current;

	return self != NULL && self->team != NULL ? self : NULL;
}

ompt_data_t *rt_inquire_thread_data(void)
{
	return rt_current != NULL ? &rt_current->tool.data : NULL;
}

void *rt_inquire_code(void)
{
	return rt_current != NULL ? (void *)(uintptr_t)rt_current->tool.code : NULL;
}

/* The note of a wait belongs to one task; the thread may execute another one meanwhile. */
int rt_inquire_state(ompt_wait_id_t *wait_id)
{
	const struct rt_thread *self = known_self();
	uint32_t state;

	if (wait_id != NULL)
		*wait_id = 0;
	if (self == NULL)
		return ompt_state_undefined;
	state = self->waiting.state;
	if (state != 0 && self->waiting.task == self->task) {
		if (wait_id != NULL)
			*wait_id = self->waiting.id;
		return state == RT_WAITING_BARRIER && self->tool.barrier_state != 0
			   ? (int)self->tool.barrier_state
			   : (int)state;
	}
	return self->team->level > 0 ? ompt_state_work_parallel : ompt_state_work_serial;
}

/*
 * A worker between two regions is in neither. This holds from the end of its implicit task in the
 * first region, when the team may be used again, to the begin of its task in the second. A signal
 * handler may ask at any moment.
 */
static bool is_between_regions(const struct rt_thread *self)
{
	return self->waiting.state == RT_WAITING_IDLE || self->task == NULL ||
	       self->task->tool.flags == 0;
}

/*
 * An initial team that its thread uses for a while is enclosed by the team where the thread was
 * before.
 */
static struct rt_team *enclosing(const struct rt_team *team)
{
	return team->parent != NULL ? team->parent : team->tool.outer;
}

int rt_inquire_parallel(int ancestor_level, ompt_data_t **parallel_data, int *team_size)
{
	const struct rt_thread *self = known_self();
	struct rt_team *team;

	if (self == NULL || ancestor_level < 0 || is_between_regions(self))
		return 0;
	team = self->team;
	for (int level = 0; team != NULL && level < ancestor_level; level++)
		team = enclosing(team);
	if (team == NULL)
		return 0;
	if (parallel_data != NULL)
		*parallel_data = &team->tool.data;
	if (team_size != NULL)
		*team_size = (int)team->size;
	return 2;
}

int rt_inquire_target(uint64_t *device, ompt_id_t *target, ompt_id_t *operation)
{
	const struct rt_target_note *note = rt_current != NULL ? rt_current->tool.target : NULL;

	if (note == NULL)
		return 0;
	if (device != NULL)
		*device = 0;
	if (target != NULL)
		*target = note->id;
	if (operation != NULL)
		*operation = note->operation;
	return 1;
}

int rt_inquire_place(void)
{
	return rt_current != NULL ? rt_current->place : -1;
}

int rt_inquire_partition(int size, int *places)
{
	const struct rt_thread *self = known_self();
	const struct rt_task_icvs *icvs;

	if (self == NULL)
		return 0;
	icvs = self->task->icvs;
	for (uint32_t i = 0; places != NULL && size > 0 && i < (uint32_t)size; i++) {
		if (i >= icvs->partition_length)
			break;
		places[i] = (int)(icvs->partition_first + i);
	}
	return (int)icvs->partition_length;
}

/*
 * The task whose code is below that of `task` on the stack: the task that was suspended for it, or
 * that encountered its region. *number: the thread number at that task, given that at `task`.
 */
static struct rt_task *suspended_for(const struct rt_task *task, uint32_t *number)
{
	const struct rt_team *team = task->team;

	if (!(task->flags & RT_TASK_IMPLICIT))
		return task->next;
	if (team->parent != NULL) {
		*number = team->parent_number;
		return team->parent_task;
	}
	*number = team->tool.outer_number;
	return team->tool.outer_task;
}

int rt_inquire_task(int ancestor_level, int *flags, ompt_data_t **task_data,
    ompt_frame_t **task_frame, ompt_data_t **parallel_data, int *thread_num)
{
	const struct rt_thread *self = known_self();
	struct rt_task *task = self != NULL && !is_between_regions(self) ? self->task : NULL;
	uint32_t number = self != NULL ? self->number : 0;

	for (int level = 0; task != NULL && level < ancestor_level; level++)
		task = suspended_for(task, &number);
	if (task == NULL || ancestor_level < 0)
		return 0;
	if (flags != NULL)
		*flags = task->tool.flags;
	if (task_data != NULL)
		*task_data = &task->tool.data;
	if (task_frame != NULL)
		*task_frame = &task->tool.frame;
	if (parallel_data != NULL)
		*parallel_data = &task->team->tool.data;
	if (thread_num != NULL)
		*thread_num = (int)number;
	return 2;
}

/*
 * Explicit tasks have one block, the arguments and the private variables in them; others have none.
 */
int rt_inquire_task_memory(void **address, size_t *bytes, int block)
{
	const struct rt_thread *self = known_self();
	const struct rt_task *task = self != NULL ? self->task : NULL;
	bool has_block = block == 0 && task != NULL && !(task->flags & RT_TASK_IMPLICIT) &&
			 task->tool.memory_bytes != 0;

	*address = has_block ? task->data : NULL;
	*bytes = has_block ? task->tool.memory_bytes : 0;
	return 0;
}
