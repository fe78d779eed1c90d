/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples as speedscope's own JSON (https://www.speedscope.app/file-format-schema.json): frames
 * once, and for each thread a "sampled" profile, whose samples are lists of frames from the
 * outermost to the innermost one, in the order of time. A weight is a number of samples.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "samples.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

static void put_frames(struct json_writer *json, const struct samples *samples)
{
	json_open_object(json, "shared");
	json_open_array(json, "frames");
	for (size_t i = 0; i < samples->stacks.frame_count; i++) {
		const struct sample_frame *frame = &samples->stacks.frames[i];

		json_begin_line(json);
		json_open_object(json, NULL);
		json_put_text(json, "name", sample_frame_name(&samples->stacks, frame));
		if (frame->file[0] != '\0')
			json_put_text(json, "file", frame->file);
		if (frame->line > 0)
			json_put_number(json, "line", frame->line);
		json_close_object(json);
	}
	/* The frame inside of all others in a wait. */
	json_begin_line(json);
	json_open_object(json, NULL);
	json_put_text(json, "name", SAMPLE_WAIT_NAME);
	json_close_object(json);
	json_close_array(json);
	json_close_object(json);
}

static void put_stack(
    struct json_writer *json, const struct samples *samples, const struct sample_run *run)
{
	uint32_t frames[SAMPLE_STACK_MAX];
	size_t count = samples_frames(samples, run->node, frames);

	json_begin_line(json);
	json_open_array(json, NULL);
	for (size_t i = 0; i < count; i++)
		json_put_number(json, NULL, frames[i]);
	if (run->waits)
		json_put_number(json, NULL, samples->stacks.frame_count);
	json_close_array(json);
}

static void put_profile(struct json_writer *json, const struct samples *samples, size_t location)
{
	const struct thread_samples *thread = &samples->threads[location];
	char *name = archive_thread_name(samples->archive, location);
	uint64_t sum = 0;

	for (size_t i = 0; i < thread->count; i++)
		sum += thread->runs[i].count;
	json_begin_line(json);
	json_open_object(json, NULL);
	json_put_text(json, "type", "sampled");
	json_put_text(json, "name", name);
	json_put_text(json, "unit", "none");
	json_put_number(json, "startValue", 0);
	json_put_number(json, "endValue", sum);
	json_open_array(json, "samples");
	for (size_t i = 0; i < thread->count; i++)
		put_stack(json, samples, &thread->runs[i]);
	json_close_array(json);
	json_open_array(json, "weights");
	for (size_t i = 0; i < thread->count; i++)
		json_put_number(json, NULL, thread->runs[i].count);
	json_close_array(json);
	json_close_object(json);
	free(name);
}

/* Threads without samples would be empty pictures; without any sample one of them remains. */
static void write(struct samples *samples, FILE *out)
{
	const struct archive *archive = samples->archive;
	struct json_writer json;

	json_start(&json, out, 0);
	json.compact = true;
	json_open_object(&json, NULL);
	json_put_text(&json, "$schema", SCHEMA);
	json_put_text(&json, "exporter", "ompreport");
	if (archive->program)
		json_put_text(&json, "name", archive->program);
	put_frames(&json, samples);
	json_open_array(&json, "profiles");
	for (size_t i = 0; i < archive->location_count; i++)
		if (samples->threads[i].count > 0 || (samples->count == 0 && i == 0))
			put_profile(&json, samples, i);
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
}

const struct sample_format sample_speedscope = {.write = write};
