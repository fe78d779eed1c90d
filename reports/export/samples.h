/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The samples of an archive for the formats of profilers: what each thread executed, in the order
 * of time. Memory is bounded by the number of samples, and equal ones in a row take it once.
 */
#ifndef SAMPLES_H
#define SAMPLES_H

#include "export.h"
#include "sample-stacks.h"

struct sample_run {
	uint32_t node; /* of the stack */
	bool waits;
	uint64_t count;
};

struct thread_samples {
	struct sample_run *runs;
	size_t count, room;
};

struct samples {
	const struct archive *archive;
	struct sample_stacks stacks;
	struct thread_samples *threads; /* by location */
	uint64_t count;                 /* over all threads */
	uint64_t duration;              /* ns: of the chosen part of the run */
};

struct sample_format {
	bool without_lines;
	void (*write)(struct samples *samples, FILE *out);
};

extern const struct sample_format sample_folded, sample_pprof, sample_speedscope;

/* Reads all events and writes the chosen samples. Returns their number. */
uint64_t export_samples(struct archive *archive, const struct export_choice *choice, FILE *out,
    const struct sample_format *format);

/* Adds more runs, and makes those with the same stack and state one, in the order of the nodes. */
void samples_add(struct thread_samples *sum, const struct thread_samples *more);
void samples_fold(struct thread_samples *samples);

/*
 * Lists the frames of a node from the outermost to the innermost, as indices of frames. The list
 * has room for all.
 */
size_t samples_frames(const struct samples *samples, uint32_t node, uint32_t *frames);

enum { SAMPLE_STACK_MAX = 2 * SAMPLE_PATH_MAX };

#endif
