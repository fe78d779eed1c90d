/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares what the runtime answers inside a callback with its callbacks, and checks whether
 * addresses of code and frames are plausible.
 */
#include "check.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASKED_ALWAYS 2000 /* the first callbacks of a thread; later ones only sometimes */
#define ASKED_EVERY  16
#define LEVELS       100000

enum { STATES = 0x1000, IMPLEMENTATIONS = 256 };

/* Executable memory: a list that is replaced as a whole if it does not contain an address. */
struct ranges {
	struct ranges *before; /* others may still read it */
	size_t count;
	struct range {
		uintptr_t begin, end;
		bool of_runtime;
	} ranges[];
};

static struct ranges *executable; /* atomic; stored with release; old lists stay valid */
static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;
static char runtime_path[4096];
static bool state_known[STATES], implementation_known[IMPLEMENTATIONS];

static void enumerate(void)
{
	const char *name;
	int next = ompt_state_undefined;

	if (runtime.enumerate_states)
		while (runtime.enumerate_states(next, &next, &name))
			if (next >= 0 && next < STATES)
				state_known[next] = true;
	next = ompt_mutex_impl_none;
	implementation_known[0] = true;
	if (runtime.enumerate_mutex_impls)
		while (runtime.enumerate_mutex_impls(next, &next, &name))
			if (next >= 0 && next < IMPLEMENTATIONS)
				implementation_known[next] = true;
	state_known[ompt_state_undefined] = true;
}

void questions_open(ompt_function_lookup_t lookup)
{
	Dl_info module;

#define LOOK_UP(name) runtime.name = (ompt_##name##_t)lookup("ompt_" #name);
	LOOK_UP(set_callback)
	LOOK_UP(get_thread_data)
	LOOK_UP(get_state)
	LOOK_UP(get_task_info)
	LOOK_UP(get_parallel_info)
	LOOK_UP(enumerate_states)
	LOOK_UP(enumerate_mutex_impls)
#undef LOOK_UP
	enumerate();
	if (dladdr((void *)lookup, &module) && module.dli_fname &&
	    !realpath(module.dli_fname, runtime_path))
		runtime_path[0] = 0;
}

bool mutex_impl_is_known(unsigned impl)
{
	return impl < IMPLEMENTATIONS && implementation_known[impl];
}

bool state_is_known(int state)
{
	return state >= 0 && state < STATES && state_known[state];
}

/* Makes a list of the memory that is executable now. */
static struct ranges *read_ranges(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	size_t room = 256;
	struct ranges *list = malloc(sizeof *list + room * sizeof list->ranges[0]);
	char line[5000];

	if (!list)
		abort();
	list->count = 0;
	while (maps && fgets(line, sizeof line, maps)) {
		unsigned long begin, end;
		char rights[8], *path = strchr(line, '/');

		line[strcspn(line, "\n")] = 0;
		if (sscanf(line, "%lx-%lx %7s", &begin, &end, rights) != 3 || rights[2] != 'x')
			continue;
		if (list->count == room) {
			room *= 2;
			list = realloc(list, sizeof *list + room * sizeof list->ranges[0]);
			if (!list)
				abort();
		}
		list->ranges[list->count++] = (struct range){
		    begin, end, path && runtime_path[0] && strcmp(path, runtime_path) == 0};
	}
	if (maps)
		fclose(maps);
	return list;
}

static const struct range *find_range(const struct ranges *list, uintptr_t address)
{
	for (size_t i = 0; list && i < list->count; i++)
		if (address >= list->ranges[i].begin && address < list->ranges[i].end)
			return &list->ranges[i];
	return NULL;
}

void check_code(const void *address, bool expected)
{
	uintptr_t code = (uintptr_t)address;
	const struct range *range;
	struct ranges *list;

	if (!code) {
		if (expected)
			violation(RULE_code_missing, "codeptr_ra is (nil)");
		return;
	}
	range = find_range(__atomic_load_n(&executable, __ATOMIC_ACQUIRE), code);
	if (!range) {
		pthread_mutex_lock(&reading);
		list = read_ranges();
		list->before = executable;
		__atomic_store_n(&executable, list, __ATOMIC_RELEASE);
		range = find_range(list, code);
		pthread_mutex_unlock(&reading);
	}
	if (!range)
		violation(RULE_code_address, "codeptr_ra %p is not executable", address);
	else if (range->of_runtime)
		violation(RULE_code_address, "codeptr_ra %p lies in the runtime", address);
}

static bool are_valid_flags(int flags)
{
	int address = flags & ~ompt_frame_application;

	return address == ompt_frame_cfa || address == ompt_frame_framepointer ||
	       address == ompt_frame_stackaddress;
}

/* The stack grows down: frames that were entered later have lower addresses. */
void check_frames(const ompt_frame_t *frame, bool must_enter)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0), enter, exit;

	if (!frame) {
		violation(RULE_frame_missing, "the task has no frame");
		return;
	}
	enter = (uintptr_t)frame->enter_frame.ptr;
	exit = (uintptr_t)frame->exit_frame.ptr;
	if (must_enter && !enter)
		violation(RULE_frame_missing, "the task is in the runtime and has no enter frame");
	if ((enter && !are_valid_flags(frame->enter_frame_flags)) ||
	    (exit && !are_valid_flags(frame->exit_frame_flags)))
		violation(RULE_frame_flags, "enter frame %#x, exit frame %#x",
		    (unsigned)frame->enter_frame_flags, (unsigned)frame->exit_frame_flags);
	if ((enter && enter < here) || (exit && exit < here) || (enter && exit && enter > exit))
		violation(RULE_frame_order, "enter frame %#lx, exit frame %#lx, here %#lx", enter,
		    exit, here);
}

/* Is the address on this thread's stack? Frames on different stacks have no order. */
static bool is_on_stack(const void *address)
{
	static __thread char *lowest, *highest;

	if (!highest) {
		pthread_attr_t attributes;
		size_t size = 0;
		void *start = NULL;

		if (pthread_getattr_np(pthread_self(), &attributes))
			return false;
		pthread_attr_getstack(&attributes, &start, &size);
		pthread_attr_destroy(&attributes);
		lowest = start;
		highest = lowest + size;
	}
	return (const char *)address >= lowest && (const char *)address < highest;
}

/* The inner task's code was called after the outer task had entered the runtime. */
static void check_levels(int level, const void *inner_exit, const ompt_frame_t *outer)
{
	const void *enter = outer ? outer->enter_frame.ptr : NULL;

	if (inner_exit && enter && is_on_stack(inner_exit) && is_on_stack(enter) &&
	    inner_exit > enter)
		violation(RULE_frame_order, "exit frame %p of level %d, enter frame %p of level %d",
		    inner_exit, level - 1, enter, level);
}

/*
 * All levels: each names a living task, the last one is an initial task. Frames are looked at as
 * long as the tasks are those that this thread has suspended: others may be changing theirs.
 */
static void ask_ancestors(const struct task *task, const void *inner_exit)
{
	const struct task *below = task->below;
	int flags = 0, last = 0, level = 1, answer;

	while (level < LEVELS) {
		ompt_data_t *data = NULL;
		ompt_frame_t *frame = NULL;

		answer = runtime.get_task_info(level, &flags, &data, &frame, NULL, NULL);
		if (!answer)
			break;
		if (answer == 2 && (!data || !find_task(data)))
			violation(RULE_task_info, "level %d: task data %p", level, (void *)data);
		if (below && data == below->home) {
			check_levels(level, inner_exit, frame);
			inner_exit = frame ? frame->exit_frame.ptr : NULL;
			below = below->below;
		} else {
			below = NULL;
		}
		last = flags;
		level++;
	}
	if (level > 1 && (last & 0x1f) != ompt_task_initial)
		violation(
		    RULE_task_info, "level %d, the last, has flags %#x", level - 1, (unsigned)last);
}

/* The thread's number in the task's team; -1: unknown. */
static int number_in_team(const struct task *task)
{
	const struct task *at = task;

	while (at && !(at->parallel == task->parallel &&
			 (at->flags & (ompt_task_implicit | ompt_task_initial))))
		at = at->below;
	if (!at)
		return -1;
	return at->flags & ompt_task_implicit ? (int)at->index : 0;
}

static void ask_task(const struct task *task)
{
	int flags = 0, number = -1, expected = number_in_team(task);
	ompt_data_t *data = NULL, *parallel_data = NULL;
	ompt_frame_t *frame = NULL;
	int answer = runtime.get_task_info(0, &flags, &data, &frame, &parallel_data, &number);

	if (answer != 2 || !is_data_of(data, task->handle) || ((flags ^ task->flags) & 0x1f) ||
	    (task->parallel && !is_data_of(parallel_data, task->parallel->handle)) ||
	    (expected >= 0 && number != expected)) {
		violation(RULE_task_info,
		    "answer %d: task %p, flags %#x, region %p, number %d; expected 2: %p, %#x, %p, "
		    "%d",
		    answer, (void *)data, (unsigned)flags, (void *)parallel_data, number,
		    (void *)task->home, (unsigned)task->flags,
		    task->parallel ? (void *)task->parallel->home : NULL, expected);
		return;
	}
	check_frames(frame, false);
	/*
	 * At its begin, with the work of a combined construct, and in its last barrier, an implicit
	 * task does not execute the program's code.
	 */
	if (frame && !(task->flags & ompt_task_initial) && !frame->exit_frame.ptr &&
	    thread_now()->event != EVENT_implicit_task && thread_now()->event != EVENT_work &&
	    thread_now()->event != EVENT_dispatch &&
	    !scope_is_open(task, SCOPE_SYNC, ompt_sync_region_barrier_implicit_parallel))
		violation(RULE_frame_missing, "the task runs and has no exit frame");
	if (task->below)
		ask_ancestors(task, frame ? frame->exit_frame.ptr : NULL);
}

static void ask_parallel(const struct task *task)
{
	const struct parallel *parallel = task->parallel;
	ompt_data_t *data = NULL;
	int size = -1, answer = runtime.get_parallel_info(0, &data, &size);
	bool is_league = ((unsigned)parallel->flags & ompt_parallel_league) != 0;

	/* The specification does not define what the team of a league is. */
	if (answer != 2 || !is_data_of(data, parallel->handle) ||
	    (size != (int)load(&parallel->size) && !is_league))
		violation(RULE_parallel_info,
		    "answer %d: region %p of %d threads; expected 2: %p of %u", answer,
		    (void *)data, size, (void *)parallel->home, load(&parallel->size));
	if (!parallel->parent || is_league)
		return;
	answer = runtime.get_parallel_info(1, &data, &size);
	if (answer != 2 || !is_data_of(data, parallel->parent->handle))
		violation(RULE_parallel_info, "level 1, answer %d: region %p; expected 2: %p",
		    answer, (void *)data, (void *)parallel->parent->home);
}

static bool is_barrier_state(int state)
{
	return state >= ompt_state_wait_barrier && state <= ompt_state_wait_barrier_teams;
}

static bool is_plausible(const struct task *task, int state, ompt_wait_id_t wait_id)
{
	if (state == ompt_state_idle || state == ompt_state_undefined)
		return false;
	if (is_barrier_state(state))
		return scope_has_barrier(task);
	if (state == ompt_state_wait_taskgroup)
		return scope_is_open(task, SCOPE_SYNC, ompt_sync_region_taskgroup);
	if (state == ompt_state_work_serial)
		return !task->parallel || load(&task->parallel->size) == 1 ||
		       (task->flags & ompt_task_initial);
	if (state >= ompt_state_wait_mutex && state <= ompt_state_wait_ordered)
		return task->acquiring && task->acquiring == wait_id;
	return true;
}

static void ask_state(const struct task *task)
{
	ompt_wait_id_t wait_id = 0;
	int state = runtime.get_state(&wait_id);

	if (!state_is_known(state))
		violation(RULE_state_known, "state %#x is not enumerated", (unsigned)state);
	else if (!is_plausible(task, state, wait_id))
		violation(RULE_state_plausible, "state %#x, wait id %#llx in task %p",
		    (unsigned)state, (unsigned long long)wait_id, (void *)task->home);
}

void ask(struct thread *me)
{
	const struct task *task = me->current;

	if (!task || (me->questions++ > ASKED_ALWAYS && me->questions % ASKED_EVERY))
		return;
	if (runtime.get_thread_data && runtime.get_thread_data() != me->home && me->home)
		violation(RULE_thread_data, "ompt_get_thread_data gives %p, expected %p",
		    (void *)runtime.get_thread_data(), (void *)me->home);
	if (runtime.get_task_info)
		ask_task(task);
	if (runtime.get_parallel_info && task->parallel)
		ask_parallel(task);
	if (runtime.get_state)
		ask_state(task);
}
