/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples as a profile of pprof (github.com/google/pprof, proto/profile.proto), compressed as gzip
 * demands but stored: a profile has a line for each stack and not for each sample, so it is small.
 * A location is a frame without address. Samples have their thread, their process if there are
 * several, and whether they are a wait as labels, which pprof's -tagfocus and -tagroot take.
 */
#include <stdlib.h>
#include <string.h>

#include "gzip.h"
#include "memory.h"
#include "protobuf.h"
#include "samples.h"
#include "shared/hash-map.h"
#include "shared/text-hash.h"

/* Field numbers of profile.proto, message by message. */
enum profile_field {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING_TABLE = 6,
	PROFILE_TIME_NANOS = 9,
	PROFILE_DURATION_NANOS = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
};
enum value_type_field { VALUE_TYPE_TYPE = 1, VALUE_TYPE_UNIT = 2 };
enum sample_field { SAMPLE_LOCATION_ID = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3 };
enum label_field { LABEL_KEY = 1, LABEL_STR = 2 };
enum mapping_field {
	MAPPING_ID = 1,
	MAPPING_FILENAME = 5,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_FILENAMES = 8,
	MAPPING_HAS_LINE_NUMBERS = 9,
};
enum location_field { LOCATION_ID = 1, LOCATION_MAPPING_ID = 2, LOCATION_LINE = 4 };
enum line_field { LINE_FUNCTION_ID = 1, LINE_LINE = 2 };
enum function_field { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_FILENAME = 4 };

#define PROGRAM 1 /* the only mapping */

struct pprof {
	struct samples *samples;
	struct protobuf profile, message, part; /* kept to reuse their memory */
	char **texts;                           /* the table of strings; "" comes first */
	size_t text_count, text_room;
	struct map text_of;
	struct map functions; /* (name, file) by numbers of their texts, to id */
};

/* Returns a text's number in the table. */
static uint64_t text_number(struct pprof *pprof, const char *text)
{
	uint64_t hash = text_hash(TEXT_HASH_START, text);
	size_t at = map_first(&pprof->text_of, hash);

	for (; at != MAP_END; at = map_next(&pprof->text_of, hash, at)) {
		uint64_t number = map_value(&pprof->text_of, at);

		if (strcmp(pprof->texts[number], text) == 0)
			return number;
	}
	*MEMORY_ADD(pprof->texts, pprof->text_room, pprof->text_count) = memory_copy_text(text);
	memory_map_add(&pprof->text_of, hash, pprof->text_count - 1);
	return pprof->text_count - 1;
}

static void put_value_type(
    struct pprof *pprof, enum profile_field field, const char *type, const char *unit)
{
	protobuf_put_number(&pprof->message, VALUE_TYPE_TYPE, text_number(pprof, type));
	protobuf_put_number(&pprof->message, VALUE_TYPE_UNIT, text_number(pprof, unit));
	protobuf_put_message(&pprof->profile, field, &pprof->message);
}

static uint64_t function_id(struct pprof *pprof, const struct sample_frame *frame)
{
	uint64_t name = text_number(pprof, sample_frame_name(&pprof->samples->stacks, frame));
	uint64_t file = text_number(pprof, frame->file), key = name << 32 | file;
	uint64_t id = map_find(&pprof->functions, key);

	if (id != MAP_NONE)
		return id;
	id = pprof->functions.count + 1;
	memory_map_set(&pprof->functions, key, id);
	protobuf_put_number(&pprof->message, FUNCTION_ID, id);
	protobuf_put_number(&pprof->message, FUNCTION_NAME, name);
	protobuf_put_number(&pprof->message, FUNCTION_FILENAME, file);
	protobuf_put_message(&pprof->profile, PROFILE_FUNCTION, &pprof->message);
	return id;
}

/* All code is the program's, and has its names, so that pprof does not look for them in files. */
static void put_mapping(struct pprof *pprof)
{
	const char *program = pprof->samples->archive->program;

	protobuf_put_number(&pprof->message, MAPPING_ID, PROGRAM);
	protobuf_put_number(
	    &pprof->message, MAPPING_FILENAME, text_number(pprof, program ? program : "?"));
	protobuf_put_number(&pprof->message, MAPPING_HAS_FUNCTIONS, true);
	protobuf_put_number(&pprof->message, MAPPING_HAS_FILENAMES, true);
	protobuf_put_number(&pprof->message, MAPPING_HAS_LINE_NUMBERS, true);
	protobuf_put_message(&pprof->profile, PROFILE_MAPPING, &pprof->message);
}

/* A frame's location has its index + 1 as id, because 0 means none. */
static void put_locations(struct pprof *pprof)
{
	for (size_t i = 0; i < pprof->samples->stacks.frame_count; i++) {
		const struct sample_frame *frame = &pprof->samples->stacks.frames[i];
		uint64_t function = function_id(pprof, frame);

		protobuf_put_number(&pprof->part, LINE_FUNCTION_ID, function);
		protobuf_put_number(&pprof->part, LINE_LINE, frame->line);
		protobuf_put_number(&pprof->message, LOCATION_ID, i + 1);
		protobuf_put_number(&pprof->message, LOCATION_MAPPING_ID, PROGRAM);
		protobuf_put_message(&pprof->message, LOCATION_LINE, &pprof->part);
		protobuf_put_message(&pprof->profile, PROFILE_LOCATION, &pprof->message);
	}
}

static void put_label(struct pprof *pprof, const char *key, const char *text)
{
	protobuf_put_number(&pprof->part, LABEL_KEY, text_number(pprof, key));
	protobuf_put_number(&pprof->part, LABEL_STR, text_number(pprof, text));
	protobuf_put_message(&pprof->message, SAMPLE_LABEL, &pprof->part);
}

static void put_thread(struct pprof *pprof, size_t location)
{
	const struct archive *archive = pprof->samples->archive;
	struct thread_samples *thread = &pprof->samples->threads[location];
	uint64_t period = archive->sample_period;
	char *process = archive_process_name(archive, archive->locations[location].group);
	uint32_t frames[SAMPLE_STACK_MAX];

	samples_fold(thread);
	for (size_t i = 0; i < thread->count; i++) {
		const struct sample_run *run = &thread->runs[i];

		for (size_t at = samples_frames(pprof->samples, run->node, frames); at > 0; at--)
			protobuf_put_number(
			    &pprof->message, SAMPLE_LOCATION_ID, (uint64_t)frames[at - 1] + 1);
		protobuf_put_number(&pprof->message, SAMPLE_VALUE, run->count);
		if (period > 0)
			protobuf_put_number(&pprof->message, SAMPLE_VALUE, run->count * period);
		put_label(pprof, "thread", archive->locations[location].name);
		if (archive->process_count > 1)
			put_label(pprof, "process", process);
		put_label(pprof, "state", run->waits ? "waiting" : "running");
		protobuf_put_message(&pprof->profile, PROFILE_SAMPLE, &pprof->message);
	}
	free(process);
}

static void put_head(struct pprof *pprof)
{
	const struct archive *archive = pprof->samples->archive;

	text_number(pprof, "");
	put_value_type(pprof, PROFILE_SAMPLE_TYPE, "samples", "count");
	if (archive->sample_period > 0) {
		put_value_type(pprof, PROFILE_SAMPLE_TYPE, "cpu", "nanoseconds");
		put_value_type(pprof, PROFILE_PERIOD_TYPE, "cpu", "nanoseconds");
		protobuf_put_number(&pprof->profile, PROFILE_PERIOD, archive->sample_period);
	}
	if (archive->realtime > 0)
		protobuf_put_number(&pprof->profile, PROFILE_TIME_NANOS, archive->realtime);
	protobuf_put_number(&pprof->profile, PROFILE_DURATION_NANOS, pprof->samples->duration);
}

static void write(struct samples *samples, FILE *out)
{
	struct pprof pprof = {.samples = samples};

	put_head(&pprof);
	for (size_t i = 0; i < samples->archive->location_count; i++)
		put_thread(&pprof, i);
	put_mapping(&pprof);
	put_locations(&pprof);
	for (size_t i = 0; i < pprof.text_count; i++) {
		protobuf_put_text(&pprof.profile, PROFILE_STRING_TABLE, pprof.texts[i]);
		free(pprof.texts[i]);
	}
	gzip_write(out, pprof.profile.bytes, pprof.profile.size);
	free(pprof.texts);
	map_free(&pprof.text_of);
	map_free(&pprof.functions);
	protobuf_free(&pprof.profile);
	protobuf_free(&pprof.message);
	protobuf_free(&pprof.part);
}

const struct sample_format sample_pprof = {.write = write};
