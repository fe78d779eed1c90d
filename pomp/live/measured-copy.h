/* SPDX-License-Identifier: BSD-3-Clause */
/* A copy of what a running process has counted, in the form in which its own library has it. */
#ifndef MEASURED_COPY_H
#define MEASURED_COPY_H

#include "event.h"
#include "fill-summary.h"
#include "common/live-profile.h"
#include "profile-table.h"

struct copied_block;

struct measured_copy {
	struct pomp_process process; /* its texts are not copied */
	struct pomp_threads threads;
	struct pomp_regions regions;
	struct pomp_locks locks;
	struct pomp_metrics metrics;
	struct pomp_process_usage usage_at_start;
	uint64_t most_threads;
	bool usage_refused;
	uint64_t torn;               /* as in struct live_profile */
	struct copied_block *blocks; /* all memory of the copy */
};

/*
 * Returns LIVE_READ if there is something to copy, with the addresses of the roots and the process
 * as it is; nothing is to be freed.
 */
enum live_result measured_copy_begin(
    struct measured_copy *copy, const struct live_source *source, const void *roots[PROFILE_ROOTS]);

/* Returns LIVE_READ, or why there is no copy. measured_copy_free() must follow in either case. */
enum live_result measured_copy_make(struct measured_copy *copy, const struct live_source *source);

void measured_copy_free(struct measured_copy *copy);

#endif
