/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * By how much the clocks of machines must go forward so that no message arrives before it was sent.
 * The run is divided into windows; a machine's shift is given at the ends of the windows, and
 * linear in between.
 */
#ifndef CLOCK_SHIFT_H
#define CLOCK_SHIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The messages from one machine to another that were sent and received in these windows: the worst
 * of them seems to arrive `ticks` too early. Negative: it arrives that much later than it must,
 * which shifts of other machines may use up.
 */
struct convert_bound {
	uint32_t from, to; /* machines */
	uint32_t sent, received;
	int64_t ticks;
};

/*
 * shift[machine * (windows + 1) + place], all zero before. `steepest`: by how much a shift may
 * change within a window. False when no shifts satisfy all bounds, because clocks changed their
 * speed within a window; the shifts are then meaningless.
 */
bool convert_solve_shifts(const struct convert_bound *bounds, size_t count, uint32_t machines,
    uint32_t windows, int64_t steepest, int64_t *shift);

#endif
