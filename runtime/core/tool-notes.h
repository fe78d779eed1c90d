/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the records of threads and teams hold for a tool (OMPT): the tool's data words, and where
 * the program called the runtime. Tasks: struct rt_task_tool. All of it is initialised and read
 * only while a tool is attached (rt_tool_is_active()); else it is memory that nothing touches.
 *
 * An entry point of abi/ or api/ that leads to an event says where it was called:
 *
 *	struct rt_thread *self = rt_self();
 *	RT_TOOL_CALL(self);
 *
 * and what is called from it, in its path for tools, takes self->tool.codeptr and .frame to
 * variables of its own at once: tasks that the thread executes meanwhile call the runtime, too.
 */
#ifndef RT_TOOL_NOTES_H
#define RT_TOOL_NOTES_H
#include "events.h"
#include "processor.h"

struct rt_team;
struct rt_task;
struct rt_thread;

/* A target construct that a thread executes; see rt_target_begin(). */
struct rt_target_note {
	ompt_data_t data;
	ompt_id_t id;                       /* of the construct */
	ompt_id_t operation;                /* of the region's submission, 0: none */
	uint32_t kind;                      /* of ompt_target_t */
	struct rt_task *task, *target_task; /* that executes it; that stands for it or NULL */
	const void *caller;
	struct rt_target_note *outer; /* in which the thread executes it, NULL: none */
};

/* Of a thread. */
struct rt_thread_tool {
	ompt_data_t data;
	const void *codeptr; /* return address of the entry that the program called last */
	void *frame; /* canonical frame address (CFA) of that entry: the caller's, at the call */
	void (*code)(void *data); /* in the callback of a region's or task's begin: its code */
	bool begins_region;       /* it is in the callback of a region's begin */
	uint32_t barrier_state;   /* of ompt_state_t: in which kind of barrier it is, 0: in none */
	struct rt_target_note *target; /* innermost target construct, NULL: in none */
};

/* Of a team: its parallel region. */
struct rt_team_tool {
	ompt_data_t data;
	const void *codeptr;      /* where the program called the runtime for it */
	void (*code)(void *data); /* its code; NULL: that of an initial team is not known */
	int flags;                /* ompt_parallel_flag_t */
	/* Initial team that is not its thread's first: where the thread was. Else NULL. */
	struct rt_team *outer;
	struct rt_task *outer_task;
	uint32_t outer_number;
};

#define RT_TOOL_CALL(self)                                                                         \
	do {                                                                                       \
		if (unlikely(rt_tool_is_active()))                                                 \
			rt_tool_note_call(self, RT_RETURN_ADDRESS, __builtin_dwarf_cfa());         \
	} while (0)

/*
 * The same for an entry that has a path of its own for tools, and asks only once:
 *
 *	if (RT_TOOL_WATCHES(self))
 *		rt_what_it_does_with_tool(self);
 *	else
 *		rt_what_it_does(self);
 *
 * The call returns self so that no register has to be kept for it, which all paths would pay for.
 */
#define RT_TOOL_WATCHES(self)                                                                      \
	(unlikely(rt_tool_is_active()) &&                                                          \
	    ((self) = rt_tool_note_call(self, RT_RETURN_ADDRESS, __builtin_dwarf_cfa()), true))

struct rt_thread *rt_tool_note_call(struct rt_thread *self, const void *codeptr, void *frame);

/*
 * The address in the program to which the calling thread returns. gcc jumps to an entry that it
 * calls last: where an outlined function ends so, the entry returns to the runtime, which called
 * that function. Then it is the address after the function's first byte, because who names a return
 * address looks at what is before it; NULL where that function is not known.
 */
const void *rt_tool_users_address(const void *codeptr);

/* Is this an address in the runtime's own code? */
bool rt_tool_is_runtime_code(const void *address);

#endif
