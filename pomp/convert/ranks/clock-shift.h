/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * By how much machines' clocks have to go forward so that no message arrives before it was sent.
 * The run is cut into windows; a machine's shift is known at the windows' ends, and straight in
 * between.
 */
#ifndef CLOCK_SHIFT_H
#define CLOCK_SHIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Messages from a machine to another, sent and received in these windows: the worst of them seems
 * to arrive `ticks` before it may. Less than nothing: so much later, which others' shifts may use
 * up.
 */
struct convert_bound {
	uint32_t from, to; /* machines */
	uint32_t sent, received;
	int64_t ticks;
};

/*
 * shift[machine * (windows + 1) + place], all zero before. `steepest`: by how much a shift may
 * change in a window. False when no shift holds all bounds: clocks changed their pace within a
 * window; then the shifts say nothing.
 */
bool convert_solve_shifts(const struct convert_bound *bounds, size_t count, uint32_t machines,
    uint32_t windows, int64_t steepest, int64_t *shift);

#endif
