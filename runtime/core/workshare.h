/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work-sharing: what the members of a team share while they are in a loop, sections or scope
 * construct, and what each keeps for itself.
 *
 * All schedules work on logical iterations 0 .. count - 1; only the edges know the user's start,
 * end, step and type. A construct that needs shared state takes the next of RT_WORKSHARES slots of
 * the team, the same one for all members because all meet the constructs in the same order. A slot
 * starts from zero, so that nobody has to initialise it and nobody waits for an initialiser.
 * Members that are further ahead than there are slots get extra ones.
 */
#ifndef RT_WORKSHARE_H
#define RT_WORKSHARE_H

#include "atomics.h"
#include "wait.h"

enum { RT_WORKSHARES = 8 };

/* Shared by the members. Reset to zero by the last one that leaves. */
struct rt_workshare {
	RT_PADDED _Atomic uint64_t
	    next_iteration;              /* first one (or chunk) that nobody has claimed */
	RT_PADDED _Atomic uint64_t turn; /* ordered: the iteration whose turn it is */
	struct rt_event event;           /* ordered, doacross: where members wait */
	_Atomic uint32_t cancelled;      /* cancel for, cancel sections */
	RT_PADDED _Atomic uint32_t left; /* members that have left */
	_Atomic uint64_t serial;   /* low half: the construct that it serves; see workshare.c */
	bool is_extra;             /* not one of the team's own */
	struct rt_workshare *next; /* extra: list, under team->extras_mutex */
	_Atomic uint32_t prepared; /* 0, 1 being prepared, 2 done: memory etc. are valid */
	void *memory;              /* the construct's shared storage, freed with the last leave */
	_Atomic uint64_t *posts;   /* doacross: by chunk, how far its iterations have come */
	uintptr_t reduction_base;  /* task reductions: memory that the members share */
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
	uint64_t count; /* iterations */
	uint64_t chunk; /* 0: the schedule's default */
	bool any_order; /* dynamic: a member's chunks need not rise */
};

/* One member's part of its current construct. */
struct rt_loop {
	struct rt_loop_args args;
	struct rt_workshare *share; /* NULL: the construct has no shared state */
	uint32_t serial;            /* constructs with a slot that this member has met */
	bool is_ordered;
	uint64_t low, high; /* the chunk being executed */
	uint64_t trips;     /* static: chunks taken */
	uint64_t chunks;    /* dynamic: chunks in all */
	_Atomic uint64_t
	    *taken;      /* dynamic: the count of claims that it adds to; claim k of it ... */
	uint64_t stride; /* ... is chunk k * stride + dealt_to */
	bool is_dealt;   /* the count is that of one member's share, see deal.c */
	uint32_t slot, dealt_to; /* whose share it is */
	uint64_t sure;           /* chunks below need no more than the claim, see rt_loop_claim() */
	uint64_t ordered_done;   /* ordered regions executed in this chunk */
	bool turn_passed;        /* the chunk's turn went to the next one already */
	/* doacross */
	uint32_t dimensions; /* 0: no doacross loop */
	uint32_t extents_room;
	uint64_t *extents; /* iterations of each dimension */
};

struct rt_thread;
struct rt_team;

/* Makes all slots free for the constructs from number `serial` on; no member is in any. */
void rt_workshare_clear_all(struct rt_team *team, uint32_t serial);

/* The calling member takes the slot of its next construct. */
struct rt_workshare *rt_workshare_enter(struct rt_thread *self);

/* The member needs the slot no longer. */
void rt_workshare_leave(struct rt_thread *self);

/* Whoever sleeps at any slot looks again at what it waits for; the team was just cancelled. */
void rt_workshare_wake_all(struct rt_team *team);

/*
 * For what must be made once per construct: true for the one member that has to make it and then
 * call rt_workshare_prepared(); the others get false when it is there.
 */
bool rt_workshare_prepare(struct rt_thread *self, struct rt_workshare *share);
void rt_workshare_prepared(struct rt_workshare *share);

/* Sets `kind`, `chunk` from schedule(runtime); fills `count` from the other arguments. */
void rt_loop_runtime_schedule(struct rt_thread *self, struct rt_loop_args *args);
struct rt_loop_args rt_loop_args_signed(long start, long end, long step);
struct rt_loop_args rt_loop_args_unsigned(bool up, uint64_t start, uint64_t end, uint64_t step);

/* The calling member starts a loop with these arguments, or the one that its team begins with. */
enum rt_loop_share { RT_SHARE_IF_NEEDED, RT_SHARE_ALWAYS, RT_SHARE_ORDERED };
void rt_loop_begin(
    struct rt_thread *self, const struct rt_loop_args *args, enum rt_loop_share share);
void rt_loop_enter_team(struct rt_thread *self);

/* The next chunk, in loop.low and loop.high. False: there is none for this member. */
bool rt_loop_next(struct rt_thread *self);

/*
 * The same for most chunks of a dynamic loop, with nothing between the caller and the claim: the
 * sooner a member claims again, the more it claims before another takes the count's line from it.
 * False: ask rt_loop_next(). The order is explained in loop.c.
 */
static inline bool rt_loop_claim(struct rt_loop *loop)
{
	uint64_t count = loop->args.count, chunk = loop->args.chunk, trip;

	if (loop->sure == 0)
		return false;
	trip = add_relaxed(loop->taken, 1) * loop->stride + loop->dealt_to;
	if (unlikely(trip >= loop->sure))
		return false;
	loop->low = trip * chunk;
	loop->high = count - loop->low > chunk ? loop->low + chunk : count;
	return true;
}

/* The user's values of a chunk's bounds. */
static inline uint64_t rt_loop_first(const struct rt_loop *loop)
{
	return loop->args.start + loop->low * loop->args.step;
}

/* The last chunk ends with the user's own bound, since a further step might overflow. */
static inline uint64_t rt_loop_limit(const struct rt_loop *loop)
{
	if (loop->high == loop->args.count)
		return loop->args.end;
	return loop->args.start + loop->high * loop->args.step;
}

/* The member leaves the construct, without a barrier. */
void rt_loop_end(struct rt_thread *self);

/* ordered: waits for the turn of the current chunk; says that an ordered region is done. */
void rt_ordered_begin(struct rt_thread *self);
void rt_ordered_end(struct rt_thread *self);

/* An ordered loop's chunk is over, whether its iterations had ordered regions or not. */
void rt_ordered_leave_chunk(struct rt_thread *self);

/*
 * After rt_loop_begin() of a loop with ordered(n): `extents` are the iterations by dimension. The
 * member that prepares the slot then makes the array of posts.
 */
void rt_doacross_begin(struct rt_thread *self, uint32_t dimensions, const uint64_t *extents);
void rt_doacross_prepare(struct rt_thread *self);

/* depend(source) and depend(sink), with an iteration vector that counts from 0. */
void rt_doacross_post(struct rt_thread *self, const uint64_t *iteration);
void rt_doacross_wait(struct rt_thread *self, const uint64_t *iteration);

#endif
