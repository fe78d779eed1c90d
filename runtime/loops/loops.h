/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What members do in work-sharing constructs: take a slot for what they share, take chunks of a
 * loop, wait for their turn. struct rt_workshare and struct rt_loop are the records.
 */
#ifndef RT_LOOPS_H
#define RT_LOOPS_H
#include "workshare.h"

struct rt_thread;
struct rt_team;

/* Frees all slots for the constructs from number `serial` on; no member is in any slot. */
void rt_workshare_clear_all(struct rt_team *team, uint32_t serial);

/* The calling member takes the slot of its next construct. */
struct rt_workshare *rt_workshare_enter(struct rt_thread *self);

/* The member no longer needs the slot. */
void rt_workshare_leave(struct rt_thread *self);

/*
 * The same for a slot that the member keeps besides the one of its current construct; `serial` is
 * the number of the construct that it counts as.
 */
struct rt_workshare *rt_workshare_keep(struct rt_thread *self, uint32_t *serial);
void rt_workshare_leave_kept(struct rt_thread *self, struct rt_workshare *share, uint32_t serial);

/*
 * Makes members that sleep at any slot check again what they wait for; the team was just cancelled.
 */
void rt_workshare_wake_all(struct rt_team *team);

/*
 * For what must be made once per construct: true for the one member that has to make it and then
 * call rt_workshare_prepared(); the other members wait until it is there and get false.
 */
bool rt_workshare_prepare(struct rt_thread *self, struct rt_workshare *share);
void rt_workshare_prepared(struct rt_workshare *share);

/*
 * schedule(runtime): sets `kind`, `chunk` and `nonmonotonic` from run-sched-var, or from the
 * schedule that is given to the member's next such loop (ompinst_next_loop()).
 */
void rt_loop_runtime_schedule(struct rt_thread *self, struct rt_loop_args *args);

/*
 * The arguments of a loop from start to end (excluded), with their `count`; the caller fills in the
 * schedule. `up`: the loop variable grows. `step` is what is added to the variable, as a negative
 * number modulo 2^64 if the variable decreases.
 */
struct rt_loop_args rt_loop_args_signed(long start, long end, long step);
struct rt_loop_args rt_loop_args_unsigned(bool up, uint64_t start, uint64_t end, uint64_t step);

/* Does the construct need a slot that the members share? */
enum rt_loop_share { RT_SHARE_IF_NEEDED, RT_SHARE_ALWAYS, RT_SHARE_ORDERED };

/* The calling member begins a loop. */
void rt_loop_begin(
    struct rt_thread *self, const struct rt_loop_args *args, enum rt_loop_share share);

/* The member begins the loop that its combined region starts with (team->loop_args). */
void rt_loop_enter_team(struct rt_thread *self);

/* The next chunk, in loop.low and loop.high. False: there is none for this member. */
bool rt_loop_next(struct rt_thread *self);

/*
 * The same for most chunks of a dynamic loop, with little work between two claims: the sooner a
 * member claims again, the more it claims before another member takes the counter's line from it.
 * So a claim gives the user's bounds by one multiplication and leaves loop.low and loop.high
 * unchanged. False: call rt_loop_next().
 */
static inline bool rt_loop_claim(struct rt_loop *loop, uint64_t *first, uint64_t *limit)
{
	uint64_t claim;

	if (loop->sure == 0)
		return false;
	claim = add_relaxed(loop->taken, 1);
	if (unlikely(claim >= loop->sure))
		return false;
	*first = loop->claim_start + claim * loop->claim_step;
	*limit = unlikely(claim == loop->last_claim) ? loop->args.end : *first + loop->chunk_step;
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

/* ordered: wait for the turn of the current chunk; record that an ordered region is done. */
void rt_ordered_begin(struct rt_thread *self);
void rt_ordered_end(struct rt_thread *self);

/* The wait id of the member's ordered loop for a tool: the address of what its members wait for. */
uintptr_t rt_ordered_wait_id(const struct rt_thread *self);

/* The chunk of an ordered loop is over, whether or not its iterations had ordered regions. */
void rt_ordered_leave_chunk(struct rt_thread *self);

/*
 * Called after rt_loop_begin() of a loop with ordered(n): `extents` are the numbers of iterations
 * by dimension. The member that prepares the slot then makes the array of posts.
 */
void rt_doacross_begin(struct rt_thread *self, uint32_t dimensions, const uint64_t *extents);
void rt_doacross_prepare(struct rt_thread *self);

/* depend(source) and depend(sink), with an iteration vector that counts from 0. */
void rt_doacross_post(struct rt_thread *self, const uint64_t *iteration);
void rt_doacross_wait(struct rt_thread *self, const uint64_t *iteration);

#endif
