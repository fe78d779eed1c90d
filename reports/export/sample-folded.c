/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples as folded stacks: a line "outer;inner samples" for each stack, over all threads of a
 * process. Samples of a wait have one frame more. Lines of functions are left out, because in a
 * picture the parts of a function belong together.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "folded-frame.h"
#include "memory.h"
#include "samples.h"

static void write_stack(FILE *out, const struct samples *samples, const struct sample_run *run)
{
	uint32_t frames[SAMPLE_STACK_MAX];
	size_t count = samples_frames(samples, run->node, frames);

	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			fputc(';', out);
		folded_frame(
		    out, sample_frame_name(&samples->stacks, &samples->stacks.frames[frames[i]]));
	}
	fprintf(out, "%s %" PRIu64 "\n", run->waits ? ";" SAMPLE_WAIT_NAME : "", run->count);
}

static void write_process(
    FILE *out, const struct samples *samples, uint32_t group, struct thread_samples *process)
{
	samples_fold(process);
	for (size_t i = 0; i < process->count; i++) {
		if (samples->archive->process_count > 1) {
			folded_process(out, samples->archive, group);
			fputc(';', out);
		}
		write_stack(out, samples, &process->runs[i]);
	}
	process->count = 0;
}

/* Threads of a process follow each other. */
static void write(struct samples *samples, FILE *out)
{
	const struct archive *archive = samples->archive;
	struct thread_samples process = {0};

	for (size_t i = 0; i < archive->location_count; i++) {
		uint32_t group = archive->locations[i].group;

		samples_add(&process, &samples->threads[i]);
		if (i + 1 == archive->location_count || archive->locations[i + 1].group != group)
			write_process(out, samples, group, &process);
	}
	free(process.runs);
}

const struct sample_format sample_folded = {.without_lines = true, .write = write};
