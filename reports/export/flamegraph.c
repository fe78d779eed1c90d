/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Folded stacks: for every stack of regions a line "outer;inner nanoseconds" with the time spent in
 * its innermost region alone. flamegraph.pl, speedscope and inferno draw them.
 */
#include <inttypes.h>

#include "folded-frame.h"
#include "region-times.h"

static void write_stack(
    FILE *out, const struct archive *archive, const struct region_stacks *stacks, uint32_t node)
{
	const struct region_node *top = &stacks->nodes[node];

	if (top->parent != 0) {
		write_stack(out, archive, stacks, top->parent);
		fputc(';', out);
	}
	if (node <= stacks->processes)
		folded_process(out, archive, top->region);
	else
		folded_frame(out, top->region == REGION_DEEPER
				      ? "(deeper)"
				      : slices_region_name(archive, top->region));
}

void export_flamegraph(struct archive *archive, const struct export_choice *choice, FILE *out)
{
	struct region_times times;

	region_times_read(&times, archive, choice);
	for (uint32_t i = (uint32_t)times.stacks.processes + 1; i < times.stacks.count; i++) {
		uint64_t time = region_times_own(&times, i);

		if (time == 0)
			continue;
		write_stack(out, archive, &times.stacks, i);
		fprintf(out, " %" PRIu64 "\n", time);
	}
	region_times_free(&times);
}
