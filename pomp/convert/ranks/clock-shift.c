/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each bound is a difference: the receiver's shift is at least the sender's plus a number. Shifts
 * that are too low are raised again and again until they are the least ones that satisfy all
 * bounds, as in Bellman and Ford's algorithm for shortest paths. That no shift falls or climbs too
 * fast is a bound of the same kind, between the places of one machine. If a shift still rises after
 * as many rounds as there are machines to pass, it would rise forever: two machines contradict each
 * other.
 */
#include "clock-shift.h"

static bool raise(int64_t *shift, int64_t least)
{
	if (*shift >= least)
		return false;
	*shift = least;
	return true;
}

/*
 * The shift at a moment is between those at the two ends of its window, so both ends must keep the
 * bound.
 */
static bool keep(const struct convert_bound *bound, size_t places, int64_t *shift)
{
	const int64_t *from = shift + bound->from * places + bound->sent;
	int64_t *to = shift + bound->to * places + bound->received;
	int64_t least = (from[0] > from[1] ? from[0] : from[1]) + bound->ticks;
	bool raised = raise(&to[0], least);

	return raise(&to[1], least) || raised;
}

static bool smooth(int64_t *shift, size_t places, int64_t steepest)
{
	bool raised = false;

	for (size_t i = 1; i < places; i++)
		raised |= raise(&shift[i], shift[i - 1] - steepest);
	for (size_t i = places - 1; i > 0; i--)
		raised |= raise(&shift[i - 1], shift[i] - steepest);
	return raised;
}

bool convert_solve_shifts(const struct convert_bound *bounds, size_t count, uint32_t machines,
    uint32_t windows, int64_t steepest, int64_t *shift)
{
	enum { SPARE_ROUNDS = 64 }; /* both ends of a bound also lead to the next window */
	size_t places = (size_t)windows + 1;

	for (uint64_t round = 0; round < (uint64_t)machines * 2 + SPARE_ROUNDS; round++) {
		bool raised = false;
		for (size_t i = 0; i < count; i++)
			raised |= keep(&bounds[i], places, shift);
		for (uint32_t machine = 0; machine < machines; machine++)
			raised |= smooth(shift + machine * places, places, steepest);
		if (!raised)
			return true;
	}
	return false;
}
