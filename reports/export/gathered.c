/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements gathered.h. */
#include "gathered.h"

#include "memory.h"

struct gathering_choice gathered_choice(
    const struct archive *archive, const struct export_choice *choice)
{
	struct gathering_choice chosen = {
	    .from = export_ticks(archive, choice->from),
	    .to = choice->to == EXPORT_TO_END ? UINT64_MAX : export_ticks(archive, choice->to),
	};

	chosen.threads = memory_new(archive->location_count, sizeof(chosen.threads[0]));
	for (size_t i = 0; i < archive->location_count; i++)
		chosen.threads[i] = choice->takes_thread(choice->context, archive, i);
	if (choice->takes_region) {
		chosen.regions = memory_new(archive->region_count + 1, sizeof(chosen.regions[0]));
		for (size_t i = 0; i <= archive->region_count; i++)
			chosen.regions[i] = choice->takes_region(choice->context,
			    slices_region_name(archive,
				i < archive->region_count ? (uint32_t)i : ARCHIVE_NO_INDEX));
	}
	choice->forget(choice->context);
	return chosen;
}
