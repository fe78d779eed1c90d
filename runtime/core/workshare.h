/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work-sharing: what the members of a team share while they are in a loop, sections or scope
 * construct, and what each member keeps for itself.
 *
 * All schedules work on logical iterations 0 .. count - 1; only the entry points know the user's
 * start, end, step and type. A construct that needs shared state takes the next of RT_WORKSHARES
 * slots of the team. All members take the same one because all encounter the constructs in the same
 * order. A slot starts zeroed, so that no member has to initialise it or to wait until another one
 * has. Members that are further ahead than there are slots get extra ones.
 */
#ifndef RT_WORKSHARE_H
#define RT_WORKSHARE_H
#include <stdbool.h>
#include <stddef.h>

#include "atomics.h"
#include "processor-code.h"
#include "wait.h"

enum { RT_WORKSHARES = 8 };

/* Shared by the members. Reset to zero by the last one that leaves. */
struct rt_workshare {
	RT_PADDED _Atomic uint64_t
	    next_iteration;              /* first iteration (or chunk) that no member has claimed */
	RT_PADDED _Atomic uint64_t turn; /* ordered: the iteration whose turn it is */
	struct rt_event event;           /* ordered, doacross: where members wait */
	_Atomic uint32_t cancelled;      /* cancel for, cancel sections */
	RT_PADDED _Atomic uint32_t left; /* members that have left */
	_Atomic uint64_t serial;   /* low half: number of the construct; see rt_workshare_enter() */
	bool is_extra;             /* not one of the team's own */
	_Atomic uint32_t prepared; /* 0: not, 1: being, 2: prepared (memory etc. are valid) */
	void *memory;              /* the construct's shared storage, freed with the last leave */
	/*
	 * doacross: for each chunk, how far its iterations have come; or one bit for each iteration
	 */
	_Atomic uint64_t *posts;
	uintptr_t reduction_base; /* task reductions: memory that the members share */
};

/* A ring of further slots; the slot of construct k is at k % capacity. */
struct rt_extra_slots {
	struct rt_workshare **places; /* NULL: there is none */
	uint32_t capacity;            /* 0 or a power of two */
	uint32_t count;               /* slots in it */
};

enum rt_loop_kind {
	RT_LOOP_NONE,
	RT_LOOP_STATIC,
	RT_LOOP_DYNAMIC,
	RT_LOOP_GUIDED,
};

/* A loop as the program gives it; arithmetic is modulo 2^64, so int and unsigned share it. */
struct rt_loop_args {
	enum rt_loop_kind kind;
	uint64_t start, end, step;
	uint64_t count;           /* iterations */
	uint64_t chunk;           /* 0: the schedule's default */
	bool nonmonotonic;        /* dynamic: a member's chunks need not rise */
	bool is_sections;         /* the iterations are sections */
	bool lanes;               /* a simd loop, whose safelen is in `chunk`; 0: it has none */
	bool multiples;           /* guided: chunks except the last one are multiples of `chunk` */
	struct loop_marks *marks; /* who notes its pieces, or NULL */
};

/* Properties that few loops have; each chunk checks all of them at once. */
enum rt_loop_unusual {
	RT_LOOP_ORDERED = 1,
	RT_LOOP_WATCHED = 2, /* a tool observes each chunk */
	RT_LOOP_RACE = 4,    /* race detection: others get chunks, too */
	RT_LOOP_MARKED = 8,  /* chunks are handed out in pieces, which are noted */
	RT_LOOP_LANES = 16,  /* race detection: the iterations belong to lanes */
};

/* The values of one dimension of a doacross loop: `count` of them from `lower` on. */
struct rt_extent {
	int64_t lower, step;
	uint64_t count, used; /* used: those in the loop; see rt_iteration_posts_count() */
};

/* One member's view of the posts of a doacross loop, if they are kept apart from the loop. */
struct rt_iteration_posts {
	struct rt_workshare *share; /* NULL: no such loop, or the member is alone */
	uint32_t serial;            /* the construct that the slot serves */
	uint32_t dimensions;        /* 0: no such loop */
	size_t room;
	struct rt_extent *extents; /* by dimension */
};

/* One member's part of its current construct. */
struct rt_loop {
	struct rt_loop_args args;
	struct rt_workshare *share; /* NULL: the construct has no shared state */
	uint32_t serial;            /* constructs with a slot that this member has entered */
	uint8_t unusual;            /* of enum rt_loop_unusual */
	uint64_t low, high;         /* the chunk being executed, or a piece of it */
	uint64_t chunk_end, piece;  /* of a loop with marks: where the chunk ends; see note() */
	uint64_t trips;             /* static: chunks taken */
	uint64_t chunks;            /* dynamic: chunks in all */
	_Atomic uint64_t *taken;    /* dynamic: the claim counter that it adds to */
	uint64_t sure; /* claims below it need only rt_loop_claim(); 0: ask the schedule */
	uint64_t
	    claim_start; /* the user's first value of claim k is claim_start + k * claim_step */
	uint64_t claim_step;
	uint64_t chunk_step; /* distance from a chunk's start to its limit, except for last_claim */
	uint64_t last_claim; /* the claim that gives the loop's last chunk; UINT64_MAX: none */
	bool is_stealing;    /* the counter belongs to one member's share of the chunks */
	bool is_part;        /* the loop goes on in another team, so no chunk is the last */
	uint32_t slot, share_owner; /* whose share it is */
	uint64_t ordered_done;      /* ordered regions executed in this chunk */
	bool turn_passed;           /* the chunk has already passed its turn on */
	/* doacross */
	uint32_t dimensions; /* 0: no doacross loop */
	size_t extents_room;
	uint64_t *extents; /* iterations of each dimension */
	struct rt_iteration_posts iteration_posts;
};

/* For tools: nested blocks whose code calls the runtime at their end. */
struct rt_open_blocks {
	uint32_t count;
	const void *caller; /* where the outermost block began */
};

/* For tools: the constructs that the member is in; see rt_work_close(). */
struct rt_open_work {
	uint32_t type;   /* of ompt_work_t, 0: none */
	bool is_divided; /* gcc's code divides the loop; its length is not known yet */
	uint64_t count;
	const void *caller; /* where it began */
	struct rt_open_blocks scopes, masked;
};

#endif
