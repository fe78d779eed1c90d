/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions by which other processes read this library's profile: common/live-profile.h. */
#include "live-reader.h"

#include "measured-copy.h"
#include "merge-summaries.h"

#include <stdlib.h>

static struct pomp_process_usage usage_of(
    const struct measured_copy *copy, const struct live_source *source)
{
	const struct pomp_process_usage now = {
	    .ran = source->ran,
	    .system = source->system,
	    .faults = source->faults,
	    .is_known = source->usage_is_known,
	};

	return pomp_process_usage_between(&copy->usage_at_start, &now);
}

void pomp_live_release(struct live_profile *profile)
{
	pomp_release_summary(&profile->summary);
	measured_copy_free(profile->memory);
	free(profile->memory);
	profile->memory = NULL;
}

/* The lock is this process's own: the sums are added up as at the end. */
static enum live_result fill(struct live_profile *profile, const struct live_source *source)
{
	const struct measured_copy *copy = profile->memory;
	const struct pomp_measured measured = {
	    .clock = copy->process.clock,
	    .threads = &copy->threads,
	    .regions = &copy->regions,
	    .locks = &copy->locks,
	    .metrics = &copy->metrics,
	    .most_threads = copy->most_threads,
	    .usage = usage_of(copy, source),
	    .usage_refused = copy->usage_refused,
	};

	pomp_lock_process();
	bool is_filled = pomp_fill_summary_of(&profile->summary, &measured);
	pomp_unlock_process();
	profile->start = copy->process.clock.start.monotonic;
	profile->torn = copy->torn;
	profile->summary.began = copy->process.clock.start.realtime;
	if (is_filled)
		return LIVE_READ;
	pomp_live_release(profile);
	return LIVE_NO_MEMORY;
}

enum live_result pomp_live_read(const struct live_source *source, struct live_profile *profile)
{
	struct measured_copy *copy = malloc(sizeof(*copy));

	*profile = (struct live_profile){.memory = copy};
	if (copy == NULL)
		return LIVE_NO_MEMORY;
	enum live_result result = measured_copy_make(copy, source);
	if (result == LIVE_READ)
		return fill(profile, source);
	measured_copy_free(copy);
	free(copy);
	profile->memory = NULL;
	return result;
}

extern const struct live_profile_functions pomp_live_profile __attribute__((visibility("default")));

const struct live_profile_functions pomp_live_profile = {LIVE_PROFILE_VERSION, pomp_live_read,
    pomp_live_release, pomp_rank_pack_summary, pomp_rank_unpack_summary, pomp_rank_free_unpacked,
    pomp_live_read_samples, pomp_live_release_samples};
