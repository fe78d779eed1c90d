/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops, sections and distribute constructs with a static schedule. The code passes the bounds of
 * the whole loop, both inclusive, and gets those of the member's first chunk. It moves on to the
 * next chunk by adding *stride to both, as long as the lower bound is in the loop, and never beyond
 * the upper bound. *last: 1 if the member has the loop's last iteration.
 *
 * A member without iterations gets an upper bound one step before the lower one. A member with a
 * single chunk gets a stride that leads just beyond the loop, so that bounds near the end of their
 * type do not wrap around. A loop with as many iterations as its type has values is treated as
 * empty: that is what flang's count of 0 looks like.
 *
 * Arithmetic is modulo 2^64, on bounds extended by their type, so that all types share it.
 */
#include "events.h"
#include "kmp-work-left.h"
#include "kmp.h"
#include "loops.h"
#include "team.h"
#include "watch.h"
#include "work-events.h"

/* The compilers' numbers. */
enum kmp_static_schedule {
	STATIC_CHUNKED = 33,
	STATIC = 34,
	STATIC_BALANCED_CHUNKED = 45, /* one chunk each, a multiple of the size given */
	STATIC_ORDERED_CHUNKED = 65,
	DISTRIBUTE_CHUNKED = 91,
	DISTRIBUTE = 92,
};

/* What is divided, and the caller's index among those that get a part of it. */
struct division {
	uint64_t count; /* iterations, at least 1 */
	uint64_t chunk; /* 0: one chunk for each member */
	uint32_t number, size;
	bool narrow; /* count and chunk fit in 32 bits */
};

/* In iterations counted from 0. */
struct share {
	uint64_t first, count; /* the first chunk; count 0: there is none */
	uint64_t turn;         /* distance to the next chunk, 0: there is no other */
	bool has_last;
};

/* 64-bit divisions are slow on many processors. */
static inline uint64_t quotient(uint64_t value, uint64_t divisor, bool narrow)
{
	return narrow ? (uint32_t)value / (uint32_t)divisor : value / divisor;
}

/* The first members get one iteration more, as in the loops that gcc divides. */
static inline struct share share_in_one(const struct division *whole)
{
	uint64_t each = quotient(whole->count, whole->size, whole->narrow);
	uint64_t rest = whole->count - each * whole->size, number = whole->number;
	struct share share = {.first = number * each + (number < rest ? number : rest),
	    .count = each + (number < rest)};

	share.has_last = share.count != 0 && share.first + share.count == whole->count;
	return share;
}

static inline struct share share_in_chunks(const struct division *whole)
{
	uint64_t last_chunk = quotient(whole->count - 1, whole->chunk, whole->narrow), rest;
	uint32_t number = whole->number, size = whole->size;
	struct share share = {0};

	if (number > last_chunk)
		return share;
	share.first = number * whole->chunk;
	rest = whole->count - share.first;
	share.count = rest < whole->chunk ? rest : whole->chunk;
	if (last_chunk - number >= size)
		share.turn = whole->chunk * size;
	share.has_last = last_chunk - quotient(last_chunk, size, whole->narrow) * size == number;
	return share;
}

/* Sets whole->chunk to the size that the schedule gives. */
static inline struct share share_of(struct division *whole, int32_t schedule)
{
	switch (schedule & KMP_SCHEDULE_KIND) {
	case STATIC_BALANCED_CHUNKED:
		whole->chunk = kmp_balanced_chunk(whole->count, whole->size, whole->chunk);
		return share_in_chunks(whole);
	case STATIC_CHUNKED:
	case STATIC_ORDERED_CHUNKED:
	case DISTRIBUTE_CHUNKED:
		return share_in_chunks(whole);
	default:
		whole->chunk = 0;
		return share_in_one(whole);
	}
}

static ompt_work_t work_type(const struct kmp_ident *ident)
{
	int32_t flags = ident != NULL ? ident->flags : 0;

	return flags & KMP_IDENT_WORK_DISTRIBUTE ? ompt_work_distribute
	       : flags & KMP_IDENT_WORK_SECTIONS ? ompt_work_sections
						 : ompt_work_loop_static;
}

/*
 * If each member has at most one chunk, it begins it now. If members have more, the program's code
 * decides when to begin them, and a tool sees none. Of sections a member has several in a row: a
 * tool sees the begin of the first one, which is now.
 */
static RT_COLD void begin_watched(
    ompt_work_t type, const struct division *whole, const struct share *share, const void *caller)
{
	struct rt_thread *self = rt_self();
	ompt_dispatch_chunk_t chunk = {.start = share->first, .iterations = share->count};

	if (!rt_watched(RT_BY_TOOL))
		return;
	rt_work_begin_static(self, type, whole->count, caller);
	if (share->count == 0)
		return;
	if (type == ompt_work_sections)
		rt_work_dispatch_section(self, caller);
	else if (whole->chunk == 0 || (whole->count - 1) / whole->chunk < whole->size)
		rt_work_dispatch_static(self, type, chunk, caller);
}

/*
 * A loop that may be cancelled needs a slot, which records that. A thread that waits for an
 * iteration of such a loop finds its member by the loop's arguments.
 */
static RT_COLD void begin_noted(struct rt_thread *self, const struct division *whole)
{
	struct rt_loop_args args = {.kind = RT_LOOP_STATIC,
	    .end = whole->count,
	    .step = 1,
	    .count = whole->count,
	    .chunk = whole->chunk};

	kmp_leave_loop(self);
	rt_loop_begin(self, &args, RT_SHARE_ALWAYS);
	if (self->member->loop.iteration_posts.dimensions != 0)
		rt_iteration_posts_count(self, whole->count);
}

static inline bool is_noted(const struct rt_thread *self)
{
	return rt_watched(RT_BY_CANCELLATION) || self->member->loop.iteration_posts.dimensions != 0;
}

static inline __attribute__((always_inline)) void begin(
    const struct kmp_ident *ident, const struct division *whole, const struct share *share)
{
	struct rt_thread *self = rt_self();
	ompt_work_t type = work_type(ident);

	if (unlikely(is_noted(self)) && type != ompt_work_distribute)
		begin_noted(self, whole);
	if (unlikely(rt_unwatched == NULL))
		begin_watched(type, whole, share, CALLER);
}

static RT_COLD void end_watched(ompt_work_t type, const void *caller)
{
	struct rt_thread *self = rt_self();

	if (rt_watched(RT_BY_TOOL) && self->member->work.type == (uint32_t)type)
		rt_work_end(self, caller);
}

/* A cancelled loop may call this not at all, or twice. */
KMP_ENTRY_PLAIN(void, __kmpc_for_static_fini)
{
	(void)gtid;
	kmp_leave_loop(rt_self());
	if (unlikely(rt_unwatched == NULL))
		end_watched(work_type(ident), CALLER);
}

#define IS_NARROW(type) (sizeof(type) == sizeof(uint32_t))

/* Functions for one type of bounds; `step` is the signed type of its size. */
#define FOR_TYPE(suffix, type, unsigned_type, step)                                                \
	/* 0: the loop is empty. */                                                                \
	static inline uint64_t count_##suffix(type lower, type upper, step increment)              \
	{                                                                                          \
		unsigned_type distance;                                                            \
                                                                                                   \
		if (increment > 0 ? upper < lower : lower < upper)                                 \
			return 0;                                                                  \
		distance = increment > 0 ? (unsigned_type)upper - (unsigned_type)lower             \
					 : (unsigned_type)lower - (unsigned_type)upper;            \
		if (increment > 1)                                                                 \
			distance /= (unsigned_type)increment;                                      \
		else if (increment < -1)                                                           \
			distance /= -(unsigned_type)increment;                                     \
		return (unsigned_type)(distance + 1);                                              \
	}                                                                                          \
                                                                                                   \
	/* Beyond the loop, if the type has such values; else any bounds that mean an empty loop.  \
	 */                                                                                        \
	static inline void set_empty_##suffix(                                                     \
	    type *lower, type *upper, step *stride, step increment)                                \
	{                                                                                          \
		type behind = (type)((uint64_t)*upper + (uint64_t)increment);                      \
                                                                                                   \
		*stride = increment;                                                               \
		if (increment > 0 ? behind > *upper : behind < *upper) {                           \
			*lower = behind;                                                           \
		} else {                                                                           \
			*lower = increment > 0;                                                    \
			*upper = increment < 0;                                                    \
		}                                                                                  \
	}                                                                                          \
                                                                                                   \
	static inline void set_##suffix(const struct share *share, int32_t *last, type *lower,     \
	    type *upper, step *stride, step increment)                                             \
	{                                                                                          \
		uint64_t behind = (uint64_t)*upper + (uint64_t)increment;                          \
		uint64_t first = (uint64_t)*lower + share->first * (uint64_t)increment;            \
                                                                                                   \
		if (last != NULL)                                                                  \
			*last = share->has_last;                                                   \
		if (share->count == 0) {                                                           \
			set_empty_##suffix(lower, upper, stride, increment);                       \
			return;                                                                    \
		}                                                                                  \
		*lower = (type)first;                                                              \
		*upper = (type)(first + (share->count - 1) * (uint64_t)increment);                 \
		*stride =                                                                          \
		    (step)(share->turn != 0 ? share->turn * (uint64_t)increment : behind - first); \
	}                                                                                          \
                                                                                                   \
	KMP_ENTRY(void, __kmpc_for_static_init_##suffix, int32_t schedule, int32_t *last,          \
	    type *lower, type *upper, step *stride, step increment, step chunk)                    \
	{                                                                                          \
		const struct rt_thread *self = rt_self();                                          \
		uint64_t count = count_##suffix(*lower, *upper, increment);                        \
		bool by_teams = (schedule & KMP_SCHEDULE_KIND) >= DISTRIBUTE_CHUNKED;              \
		struct division whole = {.count = count,                                           \
		    .chunk = chunk > 0 ? (uint64_t)chunk : 1,                                      \
		    .number = by_teams ? self->teams_number : self->number,                        \
		    .size = by_teams ? self->teams_count : self->team->size,                       \
		    .narrow = IS_NARROW(type)};                                                    \
		struct share share = {0};                                                          \
                                                                                                   \
		(void)gtid;                                                                        \
		if (count != 0)                                                                    \
			share = share_of(&whole, schedule);                                        \
		set_##suffix(&share, last, lower, upper, stride, increment);                       \
		begin(ident, &whole, &share);                                                      \
	}                                                                                          \
                                                                                                   \
	/* Gives the teams of the league a chunk each in turn. */                                  \
	KMP_ENTRY(void, __kmpc_team_static_init_##suffix, int32_t *last, type *lower, type *upper, \
	    step *stride, step increment, step chunk)                                              \
	{                                                                                          \
		const struct rt_thread *self = rt_self();                                          \
		uint64_t count = count_##suffix(*lower, *upper, increment);                        \
		struct division whole = {.count = count,                                           \
		    .chunk = chunk > 0 ? (uint64_t)chunk : 1,                                      \
		    .number = self->teams_number,                                                  \
		    .size = self->teams_count,                                                     \
		    .narrow = IS_NARROW(type)};                                                    \
		struct share share = {0};                                                          \
                                                                                                   \
		KMP_UNUSED();                                                                      \
		if (count != 0)                                                                    \
			share = share_in_chunks(&whole);                                           \
		set_##suffix(&share, last, lower, upper, stride, increment);                       \
	}                                                                                          \
                                                                                                   \
	/*                                                                                         \
	 * Divides the loop among the teams in one piece each, whose end is *team_upper, then      \
	 * among the members.                                                                      \
	 */                                                                                        \
	KMP_ENTRY(void, __kmpc_dist_for_static_init_##suffix, int32_t schedule, int32_t *last,     \
	    type *lower, type *upper, type *team_upper, step *stride, step increment, step chunk)  \
	{                                                                                          \
		const struct rt_thread *self = rt_self();                                          \
		struct division whole = {.count = count_##suffix(*lower, *upper, increment),       \
		    .chunk = chunk > 0 ? (uint64_t)chunk : 1,                                      \
		    .number = self->teams_number,                                                  \
		    .size = self->teams_count,                                                     \
		    .narrow = IS_NARROW(type)};                                                    \
		struct share of_team = {0}, share = {0};                                           \
                                                                                                   \
		(void)gtid;                                                                        \
		if (whole.count != 0)                                                              \
			of_team = share_in_one(&whole);                                            \
		set_##suffix(&of_team, NULL, lower, upper, stride, increment);                     \
		*team_upper = *upper;                                                              \
		whole.count = of_team.count;                                                       \
		whole.number = self->number;                                                       \
		whole.size = self->team->size;                                                     \
		if (whole.count != 0)                                                              \
			share = share_of(&whole, schedule);                                        \
		share.has_last &= of_team.has_last;                                                \
		set_##suffix(&share, last, lower, upper, stride, increment);                       \
		begin(ident, &whole, &share);                                                      \
	}

FOR_TYPE(4, int32_t, uint32_t, int32_t)
FOR_TYPE(4u, uint32_t, uint32_t, int32_t)
FOR_TYPE(8, int64_t, uint64_t, int64_t)
FOR_TYPE(8u, uint64_t, uint64_t, int64_t)
