/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a recording again in simulated time: each strand on a thread of its team, each wait until
 * what it waits for has happened, each task on a waiting thread. All times are ticks.
 */
#ifndef REPLAY_H
#define REPLAY_H

#include "recording.h"

struct replay {
	uint64_t wall; /* until the last process ended */
	/* Thread time by construct; the last element is for time outside of all constructs. */
	uint64_t *work, *waits;
	uint64_t team; /* thread time between fork and begin, and between end and join */
	bool is_stuck; /* some wait never ended, so the wall time is not known */
};

struct replay replay_run(const struct recording *recording);
void replay_free(struct replay *replay);

#endif
