/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the records of threads and teams hold for a tool (OMPT): the tool's data words, and where
 * the program called the runtime. For tasks, see struct rt_task_tool. All of it is initialised and
 * read only by RT_BY_TOOL; otherwise nothing touches this memory.
 *
 * An entry point of abi/ or api/ that leads to an event notes where it was called:
 *
 *	struct rt_thread *self = rt_self();
 *
 *	if (rt_note_call(&self))
 *		rt_what_it_does_with_tool(self);
 *	else
 *		rt_what_it_does(self);
 *
 * Functions that it calls in its path for tools copy self->tool.codeptr and .frame to variables of
 * their own at once, because tasks that the thread executes meanwhile call the runtime, too.
 */
#ifndef RT_TOOL_NOTES_H
#define RT_TOOL_NOTES_H
#include "events.h"
#include "processor-code.h"

struct rt_team;
struct rt_task;
struct rt_thread;

/* A target construct that a thread executes; see rt_target_begin(). */
struct rt_target_note {
	ompt_data_t data;
	ompt_id_t id;                       /* of the construct */
	ompt_id_t operation;                /* of the region's submission, 0: none */
	uint32_t kind;                      /* of ompt_target_t */
	struct rt_task *task, *target_task; /* the task that executes it; the target task or NULL */
	const void *caller;
	struct rt_target_note *outer; /* the construct around it, NULL: none */
};

/* Of a thread. */
struct rt_thread_tool {
	ompt_data_t data;
	const void *codeptr;      /* return address of the entry point called last */
	void *frame;              /* canonical frame address (CFA) of its caller at the call */
	void (*code)(void *data); /* during the callback of a region's or task's begin: its code */
	bool begins_region;       /* it is inside the callback of a region's begin */
	uint32_t barrier_state;   /* ompt_state_t: the kind of barrier it is in, 0: none */
	struct rt_target_note *target; /* innermost target construct, NULL: none */
};

/* Of a team: its parallel region. */
struct rt_team_tool {
	ompt_data_t data;
	const void *codeptr;      /* where the program called the runtime for it */
	void (*code)(void *data); /* its code; NULL: unknown, for an initial team */
	int flags;                /* ompt_parallel_flag_t */
	/*
	 * For an initial team that is not its thread's first: where the thread was before. Else
	 * NULL.
	 */
	struct rt_team *outer;
	struct rt_task *outer_task;
	uint32_t outer_number;
};

/* Of the entry point that contains rt_note_call(); returns self. */
struct rt_thread *rt_tool_note_call(struct rt_thread *self, const void *codeptr, void *frame);

/*
 * Is a tool attached? Then notes where the program called the entry point. *self is stored anew so
 * that no register has to hold it across the call, which would cost all paths.
 */
static inline __attribute__((always_inline)) bool rt_note_call(struct rt_thread **self)
{
	if (!rt_watched(RT_BY_TOOL))
		return false;
	*self = rt_tool_note_call(*self, RT_RETURN_ADDRESS, __builtin_dwarf_cfa());
	return true;
}

/*
 * Returns the address in the program to which the calling thread returns. gcc turns a call at the
 * end of a function into a jump: if an outlined function ends so, the entry point returns to the
 * runtime, which called that function. The result is then the address after the function's first
 * byte, because a tool that looks up a return address looks at what comes before it; NULL if the
 * function is unknown.
 */
const void *rt_tool_users_address(const void *codeptr);

/* Is this an address in the runtime's own code? */
bool rt_tool_is_runtime_code(const void *address);

#endif
