/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every rule of the checking tool is broken once, by a runtime that is invented here: it has two
 * threads, calls the tool as an OpenMP runtime would, and answers its questions. A run that follows
 * all the rules must be silent; each planted fault must be named first, and end the process with
 * the tool's status. A rule without a fault here does not compile.
 *
 *   planted TOOL.so FILE    FILE: where the tool writes its lines
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "omp-tools.h"
#include "rules.h"

#define STATUS 86
#define STACK  1024 /* bytes for the addresses of frames */

/* GCC 14's AddressSanitizer keeps locals apart from the stack: frames have no order there. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_stack_use_after_return=0";
}

struct region {
	ompt_data_t data;
	struct region *outer;
	int size;
};

struct task {
	ompt_data_t data;
	ompt_frame_t frame;
	int flags, number;
	struct region *region;
	struct task *outer;
};

/* What the runtime would know, and what it is to say wrongly. */
static struct region program_region, team, inner;
static struct task initial, member[2], inner_member, explicit[3];
static ompt_callback_t callbacks[64];
static ompt_callbacks_t refused;
static int wrong_size, wrong_flags;
static const char *user_code, *runtime_code; /* addresses in libc's code and in this program's */
static const int team_flags = (int)(ompt_parallel_team | ompt_parallel_invoker_program);

static __thread ompt_data_t thread_data;
static __thread struct task *current;
static __thread int state;
static __thread char *top_of_stack;

#define CALL(event, type, ...)                                                                     \
	((ompt_callback_##type##_t)callbacks[ompt_callback_##event])(__VA_ARGS__)

/* The entry points. */

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	callbacks[event] = callback;
	return event == refused ? ompt_set_never : ompt_set_always;
}

static ompt_data_t *get_thread_data(void)
{
	return &thread_data;
}

static int get_state(ompt_wait_id_t *wait_id)
{
	*wait_id = 0;
	return state;
}

static int get_task_info(int level, int *flags, ompt_data_t **data, ompt_frame_t **frame,
    ompt_data_t **region, int *number)
{
	struct task *task = current;

	while (task && level-- > 0)
		task = task->outer;
	if (!task)
		return 0;
	*flags = task->flags ^ wrong_flags;
	*data = &task->data;
	*frame = &task->frame;
	if (region)
		*region = &task->region->data;
	if (number)
		*number = task->number;
	return 2;
}

static int get_parallel_info(int level, ompt_data_t **data, int *size)
{
	struct region *region = current ? current->region : NULL;

	while (region && level-- > 0)
		region = region->outer;
	if (!region)
		return 0;
	*data = &region->data;
	*size = region->size + wrong_size;
	return 2;
}

static int enumerate_states(int now, int *next, const char **name)
{
	*name = "state";
	*next = now == ompt_state_undefined ? ompt_state_work_serial
		: now == ompt_state_idle    ? ompt_state_undefined
					    : now + 1;
	return *next != ompt_state_undefined;
}

static int enumerate_mutex_impls(int now, int *next, const char **name)
{
	*name = "implementation";
	*next = now + 1;
	return now < 2;
}

static ompt_interface_fn_t lookup(const char *name)
{
	static const struct {
		const char *name;
		ompt_interface_fn_t function;
	} entries[] = {
	    {"ompt_set_callback", (ompt_interface_fn_t)set_callback},
	    {"ompt_get_thread_data", (ompt_interface_fn_t)get_thread_data},
	    {"ompt_get_state", (ompt_interface_fn_t)get_state},
	    {"ompt_get_task_info", (ompt_interface_fn_t)get_task_info},
	    {"ompt_get_parallel_info", (ompt_interface_fn_t)get_parallel_info},
	    {"ompt_enumerate_states", (ompt_interface_fn_t)enumerate_states},
	    {"ompt_enumerate_mutex_impls", (ompt_interface_fn_t)enumerate_mutex_impls},
	};

	for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
		if (strcmp(entries[i].name, name) == 0)
			return entries[i].function;
	return NULL;
}

/* The second thread executes what the first one hands it, while that one waits. */

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	void (*job)(void);
} second = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL};

static void *second_thread(void *unused)
{
	char top[STACK];

	(void)unused;
	top_of_stack = top;
	pthread_mutex_lock(&second.lock);
	for (;;) {
		while (!second.job)
			pthread_cond_wait(&second.changed, &second.lock);
		second.job();
		second.job = NULL;
		pthread_cond_broadcast(&second.changed);
	}
	return NULL;
}

static void on_second(void (*job)(void))
{
	pthread_mutex_lock(&second.lock);
	second.job = job;
	pthread_cond_broadcast(&second.changed);
	while (second.job)
		pthread_cond_wait(&second.changed, &second.lock);
	pthread_mutex_unlock(&second.lock);
}

/* What the runtime does. */

/* Frames of tasks that were begun later lie lower. */
static void fill(struct task *task, struct region *region, int flags, int number)
{
	char *exit = top_of_stack + STACK - 128;

	for (const struct task *outer = current; outer; outer = outer->outer)
		exit -= 128;
	task->flags = flags;
	task->region = region;
	task->number = number;
	task->outer = current;
	task->frame = (ompt_frame_t){{.ptr = exit}, {.ptr = exit - 64},
	    ompt_frame_runtime | ompt_frame_cfa, ompt_frame_runtime | ompt_frame_cfa};
}

static void begin_implicit(
    struct task *task, struct region *region, int flags, int size, int index, int number)
{
	fill(task, region, flags, number);
	current = task;
	region->size = size;
	CALL(implicit_task, implicit_task, ompt_scope_begin, &region->data, &task->data,
	    (unsigned)size, (unsigned)index, flags);
}

static void end_implicit(struct task *task, int index)
{
	CALL(implicit_task, implicit_task, ompt_scope_end, NULL, &task->data, 0, (unsigned)index,
	    task->flags);
	current = task->outer;
}

static void first_thread_begins(void)
{
	CALL(thread_begin, thread_begin, ompt_thread_initial, &thread_data);
	begin_implicit(&initial, &program_region, ompt_task_initial, 1, 1, 0);
}

static void second_thread_begins(void)
{
	CALL(thread_begin, thread_begin, ompt_thread_worker, &thread_data);
}

static void start(void)
{
	first_thread_begins();
	on_second(second_thread_begins);
}

static void begin_region(struct region *region, int requested, int flags)
{
	region->outer = current->region;
	CALL(parallel_begin, parallel_begin, &current->data, &current->frame, &region->data,
	    (unsigned)requested, flags, user_code);
}

static void end_region(struct region *region, int flags)
{
	CALL(parallel_end, parallel_end, &region->data, &current->data, flags, user_code);
}

static void begin_member_1(void)
{
	state = ompt_state_work_parallel;
	begin_implicit(&member[1], &team, ompt_task_implicit, 2, 1, 1);
}

static void begin_team(void)
{
	start();
	begin_region(&team, 2, team_flags);
	state = ompt_state_work_parallel;
	begin_implicit(&member[0], &team, ompt_task_implicit, 2, 0, 0);
	on_second(begin_member_1);
}

static void sync_now(int kind, ompt_scope_endpoint_t endpoint)
{
	bool is_end =
	    kind == ompt_sync_region_barrier_implicit_parallel && endpoint == ompt_scope_end;

	CALL(sync_region, sync_region, (ompt_sync_region_t)kind, endpoint,
	    is_end ? NULL : &current->region->data, &current->data, user_code);
}

static void last_barrier_begins(void)
{
	sync_now(ompt_sync_region_barrier_implicit_parallel, ompt_scope_begin);
}

static void last_barrier_ends(void)
{
	sync_now(ompt_sync_region_barrier_implicit_parallel, ompt_scope_end);
}

static void member_1_ends(void)
{
	last_barrier_ends();
	end_implicit(&member[1], 1);
}

static void end_team(void)
{
	on_second(last_barrier_begins);
	last_barrier_begins();
	last_barrier_ends();
	end_implicit(&member[0], 0);
	on_second(member_1_ends);
	end_region(&team, team_flags);
	state = ompt_state_work_serial;
}

static void create(struct task *task, int flags, int has_dependences)
{
	fill(task, current->region, flags, current->number);
	CALL(task_create, task_create, &current->data, &current->frame, &task->data, flags,
	    has_dependences, user_code);
}

static void schedule(struct task *prior, int status, struct task *next)
{
	CALL(task_schedule, task_schedule, &prior->data, (ompt_task_status_t)status,
	    next ? &next->data : NULL);
	if (next)
		current = next;
}

static void work_now(int kind, int endpoint, uint64_t count)
{
	CALL(work, work, (ompt_work_t)kind, (ompt_scope_endpoint_t)endpoint, &current->region->data,
	    &current->data, count, user_code);
}

static void depend(struct task *task, int type, void *variable)
{
	ompt_dependence_t list = {{.ptr = variable}, (ompt_dependence_type_t)type};

	CALL(dependences, dependences, &task->data, &list, 1);
}

static void acquire(int kind, ompt_wait_id_t wait_id)
{
	CALL(mutex_acquire, mutex_acquire, (ompt_mutex_t)kind, 0, 1, wait_id, user_code);
}

static void acquired(int kind, ompt_wait_id_t wait_id)
{
	CALL(mutex_acquired, mutex, (ompt_mutex_t)kind, wait_id, user_code);
}

static void released(int kind, ompt_wait_id_t wait_id)
{
	CALL(mutex_released, mutex, (ompt_mutex_t)kind, wait_id, user_code);
}

static void dispatch_now(int kind, void *instance)
{
	CALL(dispatch, dispatch, &current->region->data, &current->data, (ompt_dispatch_t)kind,
	    (ompt_data_t){.ptr = instance});
}

static void begin_explicit_barrier(void)
{
	sync_now(ompt_sync_region_barrier_explicit, ompt_scope_begin);
}

/* What a runtime may do: all of it silent. */

static void half_of_the_work(void)
{
	ompt_dispatch_chunk_t chunk = {(uint64_t)current->number * 5, 5};

	work_now(ompt_work_loop_dynamic, ompt_scope_begin, 10);
	dispatch_now(ompt_dispatch_ws_loop_chunk, &chunk);
	work_now(ompt_work_loop_dynamic, ompt_scope_end, 0);
	work_now(current->number ? ompt_work_single_other : ompt_work_single_executor,
	    ompt_scope_begin, 1);
	work_now(current->number ? ompt_work_single_other : ompt_work_single_executor,
	    ompt_scope_end, 1);
	acquire(ompt_mutex_critical, 0x100);
	acquired(ompt_mutex_critical, 0x100);
	released(ompt_mutex_critical, 0x100);
}

static void tasks_in_order(void)
{
	static int variable;

	sync_now(ompt_sync_region_taskgroup, ompt_scope_begin);
	create(&explicit[0], ompt_task_explicit, 1);
	depend(&explicit[0], ompt_dependence_type_out, &variable);
	create(&explicit[1], ompt_task_explicit, 1);
	depend(&explicit[1], ompt_dependence_type_in, &variable);
	CALL(task_dependence, task_dependence, &explicit[0].data, &explicit[1].data);
	schedule(&member[0], ompt_task_switch, &explicit[0]);
	schedule(&explicit[0], ompt_task_complete, &explicit[1]);
	schedule(&explicit[1], ompt_task_complete, &member[0]);
	sync_now(ompt_sync_region_taskgroup, ompt_scope_end);
	create(&explicit[2], ompt_task_explicit, 0);
	schedule(&member[0], ompt_task_switch, &explicit[2]);
	schedule(&explicit[2], ompt_task_detach, &member[0]);
	schedule(&explicit[2], ompt_task_late_fulfill, NULL);
}

static void no_fault(void)
{
	begin_team();
	half_of_the_work();
	on_second(half_of_the_work);
	tasks_in_order();
	end_team();
}

/* One fault a rule. */

static void plant_after_finalize(void)
{
	start(); /* and main() has the tool end before the last event */
}

static void plant_never_called(void)
{
	start();
	CALL(flush, flush, &thread_data, user_code);
}

static void plant_data_starts_empty(void)
{
	begin_team();
	explicit[0].data.value = 5;
	create(&explicit[0], ompt_task_explicit, 0);
}

static void plant_data_word(void)
{
	ompt_data_t other = {0x1234};

	begin_team();
	CALL(sync_region, sync_region, ompt_sync_region_taskwait, ompt_scope_begin, &team.data,
	    &other, user_code);
}

static void plant_data_moved(void)
{
	begin_team();
	inner.data = team.data;
	inner_member.data = member[0].data;
	CALL(sync_region, sync_region, ompt_sync_region_taskwait, ompt_scope_begin, &team.data,
	    &inner_member.data, user_code);
}

static void plant_thread_begin_first(void)
{
	CALL(flush, flush, &thread_data, user_code);
}

static void plant_thread_end_last(void)
{
	start();
	CALL(thread_end, thread_end, &thread_data);
	CALL(flush, flush, &thread_data, user_code);
}

static void plant_thread_type(void)
{
	CALL(thread_begin, thread_begin, (ompt_thread_t)9, &thread_data);
}

static void plant_thread_data(void)
{
	start();
	CALL(flush, flush, &initial.data, user_code);
}

static void plant_parallel_flags(void)
{
	start();
	begin_region(&team, 2, 0);
}

static void plant_parallel_nesting(void)
{
	start();
	begin_region(&team, 2, team_flags);
	begin_region(&inner, 2, team_flags);
	end_region(&team, team_flags);
}

static void plant_parallel_same(void)
{
	start();
	begin_region(&team, 2, team_flags);
	end_region(&team, (int)ompt_parallel_team | ompt_parallel_invoker_runtime);
}

static void begin_member_1_of_3(void)
{
	state = ompt_state_work_parallel;
	begin_implicit(&member[1], &team, ompt_task_implicit, 3, 1, 1);
}

static void plant_parallel_members(void)
{
	start();
	begin_region(&team, 3, team_flags);
	state = ompt_state_work_parallel;
	begin_implicit(&member[0], &team, ompt_task_implicit, 2, 0, 0);
	on_second(begin_member_1_of_3);
}

static void plant_parallel_size(void)
{
	start();
	begin_region(&team, 1, team_flags);
	state = ompt_state_work_parallel;
	begin_implicit(&member[0], &team, ompt_task_implicit, 2, 0, 0);
	on_second(begin_member_1);
	end_team();
}

static void member_0_on_second(void)
{
	begin_implicit(&member[0], &team, ompt_task_implicit, 2, 0, 0);
}

static void plant_parallel_primary(void)
{
	start();
	begin_region(&team, 2, team_flags);
	on_second(member_0_on_second);
}

static void plant_implicit_flags(void)
{
	start();
	begin_region(&team, 2, team_flags);
	begin_implicit(&member[0], &team, ompt_task_explicit, 2, 0, 0);
}

static void plant_implicit_index(void)
{
	start();
	begin_region(&team, 2, team_flags);
	begin_implicit(&member[0], &team, ompt_task_implicit, 2, 5, 5);
}

static void plant_implicit_pair(void)
{
	begin_team();
	end_implicit(&member[0], 1);
}

static void plant_implicit_end_arguments(void)
{
	begin_team();
	on_second(last_barrier_begins);
	last_barrier_begins();
	last_barrier_ends();
	CALL(implicit_task, implicit_task, ompt_scope_end, &team.data, &member[0].data, 2, 0,
	    ompt_task_implicit);
}

static void plant_implicit_barrier(void)
{
	begin_team();
	end_implicit(&member[0], 0);
}

static void plant_current_task(void)
{
	begin_team();
	CALL(sync_region, sync_region, ompt_sync_region_taskwait, ompt_scope_begin, &team.data,
	    &member[1].data, user_code);
}

static void plant_task_flags(void)
{
	begin_team();
	create(&explicit[0], ompt_task_initial, 0);
}

static void plant_task_data_alive(void)
{
	begin_team();
	create(&explicit[0], ompt_task_explicit, 0);
	schedule(&member[0], ompt_task_switch, &explicit[0]);
	schedule(&explicit[0], ompt_task_complete, &member[0]);
	schedule(&member[0], ompt_task_switch, &explicit[0]);
}

static void plant_task_prior(void)
{
	begin_team();
	create(&explicit[0], ompt_task_explicit, 0);
	schedule(&explicit[0], ompt_task_switch, &member[0]);
}

static void second_starts_task(void)
{
	schedule(&member[1], ompt_task_switch, &explicit[0]);
}

static void plant_task_next(void)
{
	begin_team();
	create(&explicit[0], ompt_task_explicit, 0);
	on_second(begin_explicit_barrier);
	on_second(second_starts_task);
	schedule(&member[0], ompt_task_switch, &explicit[0]);
}

static void plant_task_status(void)
{
	begin_team();
	create(&explicit[0], ompt_task_explicit, 0);
	schedule(&member[0], 9, &explicit[0]);
}

static void plant_task_tied(void)
{
	begin_team();
	create(&explicit[0], ompt_task_explicit, 0);
	schedule(&member[0], ompt_task_switch, &explicit[0]);
	create(&explicit[1], ompt_task_explicit, 0);
	schedule(&explicit[0], ompt_task_switch, &explicit[1]);
	on_second(second_starts_task);
}

static void plant_task_descendant(void)
{
	begin_team();
	create(&explicit[0], ompt_task_explicit, 0);
	create(&explicit[1], ompt_task_explicit, 0);
	schedule(&member[0], ompt_task_switch, &explicit[0]);
	schedule(&explicit[0], ompt_task_switch, &explicit[1]);
}

static void plant_task_undeferred(void)
{
	begin_team();
	create(&explicit[0], ompt_task_explicit | ompt_task_undeferred, 0);
	sync_now(ompt_sync_region_taskwait, ompt_scope_begin);
}

static void plant_task_discarded(void)
{
	begin_team();
	create(&explicit[0], ompt_task_explicit, 0);
	schedule(&member[0], ompt_task_switch, &explicit[0]);
	CALL(cancel, cancel, &explicit[0].data, ompt_cancel_discarded_task, user_code);
}

static void plant_task_left(void)
{
	begin_team();
	create(&explicit[0], ompt_task_explicit, 0);
	end_team();
}

static void plant_taskwait_children(void)
{
	begin_team();
	create(&explicit[0], ompt_task_explicit, 0);
	sync_now(ompt_sync_region_taskwait, ompt_scope_begin);
	sync_now(ompt_sync_region_taskwait, ompt_scope_end);
}

static void plant_taskgroup_tasks(void)
{
	begin_team();
	sync_now(ompt_sync_region_taskgroup, ompt_scope_begin);
	create(&explicit[0], ompt_task_explicit, 0);
	sync_now(ompt_sync_region_taskgroup, ompt_scope_end);
}

static void plant_dependences_once(void)
{
	begin_team();
	create(&explicit[0], ompt_task_explicit, 0);
	depend(&explicit[0], ompt_dependence_type_in, &team);
}

static void plant_dependences_list(void)
{
	begin_team();
	create(&explicit[0], ompt_task_explicit, 1);
	depend(&explicit[0], 99, &team);
}

static void plant_dependence_pair(void)
{
	begin_team();
	create(&explicit[0], ompt_task_explicit, 1);
	depend(&explicit[0], ompt_dependence_type_in, &team);
	CALL(task_dependence, task_dependence, &explicit[0].data, &explicit[0].data);
}

static void plant_dependence_order(void)
{
	begin_team();
	create(&explicit[0], ompt_task_explicit, 1);
	depend(&explicit[0], ompt_dependence_type_out, &team);
	create(&explicit[1], ompt_task_explicit, 1);
	depend(&explicit[1], ompt_dependence_type_in, &team);
	schedule(&member[0], ompt_task_switch, &explicit[1]);
}

static void plant_scope_endpoint(void)
{
	begin_team();
	work_now(ompt_work_loop, 7, 1);
}

static void plant_scope_nesting(void)
{
	begin_team();
	work_now(ompt_work_loop, ompt_scope_begin, 1);
	sync_now(ompt_sync_region_barrier_explicit, ompt_scope_end);
}

static void plant_scope_left(void)
{
	begin_team();
	work_now(ompt_work_loop, ompt_scope_begin, 1);
	on_second(last_barrier_begins);
	last_barrier_begins();
	last_barrier_ends();
	end_implicit(&member[0], 0);
}

static void plant_work_kind(void)
{
	begin_team();
	work_now(9, ompt_scope_begin, 1);
}

static void plant_work_in_implicit(void)
{
	begin_team();
	create(&explicit[0], ompt_task_explicit, 0);
	schedule(&member[0], ompt_task_switch, &explicit[0]);
	work_now(ompt_work_loop, ompt_scope_begin, 1);
}

static void begin_sections(void)
{
	work_now(ompt_work_sections, ompt_scope_begin, 2);
}

static void plant_work_same(void)
{
	begin_team();
	work_now(ompt_work_loop, ompt_scope_begin, 1);
	on_second(begin_sections);
}

static void execute_single(void)
{
	work_now(ompt_work_single_executor, ompt_scope_begin, 1);
	work_now(ompt_work_single_executor, ompt_scope_end, 1);
}

static void plant_work_single(void)
{
	begin_team();
	execute_single();
	on_second(execute_single);
}

static void plant_dispatch_inside(void)
{
	begin_team();
	dispatch_now(ompt_dispatch_section, (void *)user_code);
}

static void plant_dispatch_chunk(void)
{
	ompt_dispatch_chunk_t chunk = {8, 5};

	begin_team();
	work_now(ompt_work_loop, ompt_scope_begin, 10);
	dispatch_now(ompt_dispatch_ws_loop_chunk, &chunk);
}

static void plant_sync_kind(void)
{
	begin_team();
	sync_now(ompt_sync_region_barrier, ompt_scope_begin);
}

static void plant_sync_wait(void)
{
	begin_team();
	CALL(sync_region_wait, sync_region, ompt_sync_region_taskwait, ompt_scope_begin, &team.data,
	    &member[0].data, user_code);
}

static void plant_sync_parallel_data(void)
{
	begin_team();
	on_second(last_barrier_begins);
	last_barrier_begins();
	CALL(sync_region, sync_region, ompt_sync_region_barrier_implicit_parallel, ompt_scope_end,
	    &team.data, &member[0].data, user_code);
}

static void plant_barrier_same(void)
{
	begin_team();
	on_second(begin_explicit_barrier);
	last_barrier_begins();
}

static void plant_barrier_all(void)
{
	begin_team();
	begin_explicit_barrier();
	sync_now(ompt_sync_region_barrier_explicit, ompt_scope_end);
}

static void plant_reduction_kind(void)
{
	begin_team();
	CALL(reduction, sync_region, ompt_sync_region_taskwait, ompt_scope_begin, &team.data,
	    &member[0].data, user_code);
}

static void plant_mutex_kind(void)
{
	begin_team();
	acquire(77, 0x100);
}

static void plant_mutex_wait_id(void)
{
	begin_team();
	acquire(ompt_mutex_critical, 0);
}

static void plant_mutex_order(void)
{
	begin_team();
	acquired(ompt_mutex_critical, 0x100);
}

static void plant_mutex_owner(void)
{
	begin_team();
	released(ompt_mutex_critical, 0x100);
}

static void own_critical(void)
{
	acquire(ompt_mutex_critical, 0x100);
	acquired(ompt_mutex_critical, 0x100);
}

static void plant_mutex_exclusive(void)
{
	begin_team();
	own_critical();
	on_second(own_critical);
	begin_explicit_barrier();
}

static void plant_mutex_impl(void)
{
	begin_team();
	CALL(mutex_acquire, mutex_acquire, ompt_mutex_critical, 0, 200, 0x100, user_code);
}

static void plant_nest_lock_scope(void)
{
	begin_team();
	CALL(nest_lock, nest_lock, ompt_scope_begin, 0x100, user_code);
}

static void plant_lock_life(void)
{
	begin_team();
	acquire(ompt_mutex_lock, 0x100);
}

static void plant_cancel_flags(void)
{
	begin_team();
	CALL(cancel, cancel, &member[0].data, ompt_cancel_parallel, user_code);
}

static void plant_target_pair(void)
{
	ompt_data_t target = {0};

	begin_team();
	CALL(target_emi, target_emi, ompt_target, ompt_scope_begin, 0, &member[0].data, NULL,
	    &target, user_code);
	target.value++;
	CALL(target_emi, target_emi, ompt_target, ompt_scope_end, 0, &member[0].data, NULL, &target,
	    user_code);
}

static void plant_error_message(void)
{
	begin_team();
	CALL(error, error, ompt_warning, "short", 20, user_code);
}

static void plant_code_address(void)
{
	begin_team();
	CALL(flush, flush, &thread_data, runtime_code);
}

static void plant_code_missing(void)
{
	start();
	CALL(parallel_begin, parallel_begin, &initial.data, &initial.frame, &team.data, 2,
	    team_flags, NULL);
}

static void plant_frame_flags(void)
{
	start();
	initial.frame.enter_frame_flags = 0x77;
	begin_region(&team, 2, team_flags);
}

static void plant_frame_order(void)
{
	start();
	initial.frame.enter_frame.ptr = top_of_stack + STACK - 32;
	begin_region(&team, 2, team_flags);
}

static void plant_frame_missing(void)
{
	start();
	initial.frame.enter_frame.ptr = NULL;
	begin_region(&team, 2, team_flags);
}

static void plant_state_known(void)
{
	begin_team();
	state = 0x999;
	begin_explicit_barrier();
}

static void plant_state_plausible(void)
{
	begin_team();
	state = ompt_state_idle;
	begin_explicit_barrier();
}

static void plant_sampled(void)
{
	begin_team();
	state = 0x999;
	raise(SIGPROF);
}

static void plant_task_info(void)
{
	begin_team();
	wrong_flags = ompt_task_implicit | ompt_task_explicit;
	begin_explicit_barrier();
}

static void plant_parallel_info(void)
{
	begin_team();
	wrong_size = 1;
	begin_explicit_barrier();
}

struct plant {
	const char *rule;
	void (*plant)(void);
};
#define AS_PLANT(name, section, text) {#name, plant_##name},
static const struct plant plants[] = {CHECK_RULES(AS_PLANT)};
#undef AS_PLANT

/* In a child: the tool starts, the case runs, the tool ends; the log says what was found. */
static void run(const char *tool, const struct plant *plant)
{
	void *library = dlopen(tool, RTLD_NOW);
	ompt_start_tool_result_t *(*begin)(unsigned, const char *);
	ompt_start_tool_result_t *result;
	char top[STACK];
	pthread_t thread;

	if (!library) {
		fprintf(stderr, "planted: %s\n", dlerror());
		_exit(1);
	}
	*(void **)&begin = dlsym(library, "ompt_start_tool");
	user_code = dlsym(RTLD_DEFAULT, "abort");
	runtime_code = (const char *)(uintptr_t)run;
	top_of_stack = top;
	if (plant && plant->plant == plant_sampled)
		setenv("OMPT_CHECK", "fatal,sample", 1);
	if (plant && plant->plant == plant_never_called)
		refused = ompt_callback_flush;
	pthread_create(&thread, NULL, second_thread, NULL);
	result = begin(202111, "an invented runtime");
	if (!result->initialize(lookup, 0, &result->tool_data))
		_exit(1);
	if (plant)
		plant->plant();
	else
		no_fault();
	result->finalize(&result->tool_data);
	if (plant && plant->plant == plant_after_finalize) {
		CALL(flush, flush, &thread_data, user_code);
		_exit(STATUS);
	}
	_exit(0);
}

/* The first line of the log, and the status, are what they must be. */
static bool check(const struct plant *plant, const char *log, int status)
{
	char line[2048] = "", expected[100] = "";
	FILE *file = fopen(log, "r");
	int wanted = plant ? STATUS : 0;
	bool good;

	if (plant)
		snprintf(expected, sizeof expected, "ompt-check: %s (", plant->rule);
	if (file && !fgets(line, sizeof line, file))
		line[0] = 0;
	if (file)
		fclose(file);
	good = strncmp(line, expected, strlen(expected)) == 0 && (plant || !line[0]) &&
	       WIFEXITED(status) && WEXITSTATUS(status) == wanted;
	if (!good)
		fprintf(stderr, "%s: status %#x, expected exit %d; the first line is: %s\n",
		    plant ? plant->rule : "without a fault", (unsigned)status, wanted,
		    line[0] ? line : "(none)\n");
	return good;
}

int main(int count, char **arguments)
{
	const size_t rules = sizeof plants / sizeof plants[0];
	size_t wrong = 0;
	char log[4096];

	if (count != 3) {
		fprintf(stderr, "usage: planted TOOL.so FILE\n");
		return 2;
	}
	/* One's own: the test may run twice at once. */
	snprintf(log, sizeof log, "%s.%ld", arguments[2], (long)getpid());
	setenv("OMPT_CHECK", "fatal", 1);
	setenv("OMPT_CHECK_LOG", log, 1);
	unsetenv("OMPT_CHECK_ALLOW");
	for (size_t i = 0; i <= rules; i++) {
		const struct plant *plant = i ? &plants[i - 1] : NULL;
		int status = 0;
		pid_t child;

		unlink(log);
		child = fork();
		if (child == 0)
			run(arguments[1], plant);
		waitpid(child, &status, 0);
		wrong += !check(plant, log, status);
	}
	unlink(log);
	printf("%zu rules, %zu wrong\n", rules, wrong);
	return wrong != 0;
}
