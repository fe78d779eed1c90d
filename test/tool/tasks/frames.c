/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The frame addresses of tasks separate the program's frames from the runtime's (OpenMP 5.2,
 * 19.4.4.29). Within tasks of each kind the stack is unwound, and each piece of it between the
 * addresses of a task and its ancestors must hold frames of one side only, none left out.
 */
#include <dlfcn.h>
#include <omp.h>
#include <unwind.h>

#include "record.h"

enum { FRAMES = 256 };

struct frame {
	uintptr_t ip; /* in the function */
	uintptr_t
	    sp; /* its stack pointer at the call: the canonical frame address of what it called */
	bool in_runtime;
};

struct stack {
	struct frame frames[FRAMES];
	int count;
};

static bool is_in_runtime(uintptr_t address)
{
	Dl_info info;

	return dladdr((void *)address, &info) != 0 && strstr(info.dli_fname, "/libgomp.so") != NULL;
}

static _Unwind_Reason_Code note_frame(struct _Unwind_Context *context, void *data)
{
	struct stack *stack = data;
	uintptr_t ip = _Unwind_GetIP(context);

	if (ip == 0 || stack->count == FRAMES)
		return _URC_END_OF_STACK;
	stack->frames[stack->count++] =
	    (struct frame){ip, _Unwind_GetCFA(context), is_in_runtime(ip - 1)};
	return _URC_NO_REASON;
}

static void print_stack(const struct stack *stack)
{
	for (int i = 0; i < stack->count; i++)
		fprintf(stderr, "  frame %d: ip %#lx, sp %#lx%s\n", i, (long)stack->frames[i].ip,
		    (long)stack->frames[i].sp,
		    stack->frames[i].in_runtime ? ", of the runtime" : "");
	for (int level = 0;; level++) {
		ompt_frame_t *frame;
		int flags;
		if (record_task_info(level, &flags, NULL, &frame, NULL, NULL) != 2)
			break;
		fprintf(stderr, "  level %d: flags %#x, exit %p, enter %p\n", level,
		    (unsigned)flags, frame->exit_frame.ptr, frame->enter_frame.ptr);
	}
}

/* The first frame from `from` on that is on the side given. */
static int skip_frames(const struct stack *stack, int from, bool in_runtime)
{
	while (from < stack->count && stack->frames[from].in_runtime != in_runtime)
		from++;
	return from;
}

static bool check_address(const struct stack *stack, int at, const ompt_data_t *address, int flags)
{
	return CHECK(at < stack->count) &&
	       CHECK_EQUAL((uintptr_t)address->ptr, stack->frames[at].sp) &&
	       CHECK((flags & 0xf0) == ompt_frame_cfa);
}

/* An implicit task that waits at the end of its region has left its code: it has no frames. */
static bool has_no_frames(int kind, const ompt_frame_t *frame)
{
	return (kind & ompt_task_implicit) && frame->enter_frame.ptr == NULL &&
	       frame->exit_frame.ptr == NULL;
}

/* Level by level: frames of the program, then those of the runtime that called them. */
static bool check_levels(const struct stack *stack)
{
	int at = 0;

	for (int level = 0;; level++) {
		ompt_frame_t *frame;
		int kind, thread;
		if (record_task_info(level, &kind, NULL, &frame, NULL, &thread) != 2)
			return CHECK_EQUAL(level, -1);
		if (level == 0 && !CHECK(frame->enter_frame.ptr == NULL))
			return false;
		if (level > 0 && has_no_frames(kind, frame)) {
			if (thread != 0)
				return CHECK_EQUAL(skip_frames(stack, at, true), stack->count);
			continue;
		}
		if (level > 0 &&
		    !check_address(stack, at, &frame->enter_frame, frame->enter_frame_flags))
			return false;
		if (kind & ompt_task_initial)
			return CHECK(frame->exit_frame.ptr == NULL) &&
			       CHECK_EQUAL(skip_frames(stack, at, true), stack->count);
		at = skip_frames(stack, at, true);
		if (!check_address(stack, at, &frame->exit_frame, frame->exit_frame_flags) ||
		    !CHECK(frame->exit_frame_flags & ompt_frame_application))
			return false;
		at = skip_frames(stack, at, false);
		if ((kind & ompt_task_implicit) && thread != 0) /* a worker's stack ends here */
			return CHECK_EQUAL(skip_frames(stack, at, true), stack->count);
	}
}

static int walks;

static __attribute__((noinline)) void walk(void)
{
	struct stack stack = {.count = 0};
	bool good;

	_Unwind_Backtrace(note_frame, &stack);
	good = check_levels(&stack);
	if (!good)
		print_stack(&stack);
	count(&walks);
}

/* After each construct something is left to do, so that none is called by a jump. */
static __attribute__((noinline)) void nest(int depth)
{
	int after = 0;

	walk();
	if (depth > 0) {
#pragma omp task firstprivate(depth)
		{
			nest(depth - 1);
			walk();
		}
#pragma omp task firstprivate(depth) if (0)
		{
			nest(depth - 1);
			walk();
		}
		walk();
		if (depth % 2 == 1) {
#pragma omp taskwait
			walk();
		} else {
#pragma omp taskgroup
			{
#pragma omp task firstprivate(depth)
				{
					nest(depth - 2);
					walk();
				}
			}
			walk();
		}
#pragma omp taskyield
		walk();
	}
	count(&after);
}

static void regions(void)
{
#pragma omp parallel
	{
		walk();
#pragma omp single
		{
			nest(3);
			walk();
		}
		walk();
#pragma omp single nowait
		{
#pragma omp taskloop num_tasks(5)
			for (int i = 0; i < 20; i++)
				walk();
			walk();
		}
#pragma omp barrier
		walk();
#pragma omp task
		{
#pragma omp parallel num_threads(2)
			{
				walk();
#pragma omp task
				{
					nest(1);
					walk();
				}
			}
			walk();
		}
	}
	walk();
}

/* The address is that of the very frame. */
static __attribute__((noinline)) void check_exactly(void *frame_address)
{
	ompt_frame_t *frame = NULL;

	if (CHECK_EQUAL(record_task_info(0, NULL, NULL, &frame, NULL, NULL), 2))
		CHECK_EQUAL((uintptr_t)frame->exit_frame.ptr, (uintptr_t)frame_address);
}

static void exact(void)
{
#pragma omp parallel
	{
		check_exactly(__builtin_dwarf_cfa());
#pragma omp task
		check_exactly(__builtin_dwarf_cfa());
	}
}

int main(void)
{
	regions();
	exact();
	CHECK(walks > 100);
	return check_result();
}
