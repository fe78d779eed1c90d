/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of a construct ("critical", "critical sblock", "implicit barrier") are regions at the
 * same place. The name of one part identifies the construct; the answer applies to all parts.
 */
#include "region-names.h"

#include "common/summary-figures.h"
#include "memory.h"
#include "namer.h"
#include "shared/constructs.h"

#include <stdlib.h>
#include <string.h>

static const char prefix[] = "!$omp ", creation[] = "create ", barrier[] = "implicit barrier";

/* The text between the prefix and the place; NULL if the name has another form. */
static const char *inner_name(const struct naming_region *region, size_t *length)
{
	const char *at;

	if (strncmp(region->name, prefix, strlen(prefix)) != 0)
		return NULL;
	at = strstr(region->name, " @");
	if (at == NULL)
		return NULL;
	*length = (size_t)(at - region->name) - strlen(prefix);
	return region->name + strlen(prefix);
}

/* The longest construct name at the beginning of the region's name. */
static enum construct_id construct_of(const struct naming_region *region, size_t *end)
{
	size_t length = 0, skip = 0;
	const char *name = inner_name(region, &length);

	if (name == NULL)
		return CONSTRUCT_OTHER;
	if (strncmp(name, creation, strlen(creation)) == 0)
		skip = strlen(creation);
	for (size_t i = length; i > skip; i--) {
		enum construct_id id;

		if (i < length && name[i] != ' ' && name[i] != '(')
			continue;
		id = construct_find(name + skip, i - skip);
		*end = strlen(prefix) + i;
		if (id < CONSTRUCT_COUNT)
			return id;
	}
	return CONSTRUCT_OTHER;
}

void naming_prepare(struct naming_regions *regions)
{
	for (size_t i = 0; i < regions->count; i++) {
		struct naming_region *region = &regions->region[i];
		size_t length = 0;
		const char *name = inner_name(region, &length);

		region->place_text = memory_copy_text(region->code);
		if (!code_place_read(region->place_text, &region->place)) {
			free(region->place_text);
			region->place_text = NULL;
			continue;
		}
		region->is_barrier =
		    name != NULL && length == strlen(barrier) && memcmp(name, barrier, length) == 0;
		regions->unnamed += region->begin == 0 && !region->is_sample;
		regions->unnamed_samples += region->is_sample;
	}
}

/* Turns "!$omp critical sblock @libfoo.so+0x12" into "!$omp critical(sum) sblock @file.c:6". */
static char *new_name(const struct naming_region *region, const struct code_name *name)
{
	const char *at = strstr(region->name, " @");
	const char *sub_name = name->sub_name ? name->sub_name : "";
	size_t before = at ? (size_t)(at - region->name) : strlen(region->name), end = before;
	bool has_construct = construct_of(region, &end) < CONSTRUCT_COUNT;
	bool is_new = has_construct && sub_name[0] && region->name[end] != '(';

	return memory_print("%.*s%s%s%s%.*s @%s:%d", (int)end, region->name, is_new ? "(" : "",
	    is_new ? sub_name : "", is_new ? ")" : "", (int)(before - end), region->name + end,
	    summary_base_name(name->file), region->is_barrier ? name->end : name->begin);
}

static void take(struct naming_region *region, const struct code_name *name)
{
	if (name->function != NULL)
		region->new_function = memory_copy_text(name->function);
	if (name->file == NULL || name->begin <= 0)
		return;
	region->new_name = new_name(region, name);
	region->new_file = memory_copy_text(name->file);
	region->new_begin = (uint32_t)name->begin;
	region->new_end = (uint32_t)name->end;
}

/* Applies the answer to all regions at that place. */
static void answer(struct naming_regions *regions, const char *code, const struct code_name *name)
{
	for (size_t i = 0; i < regions->count; i++) {
		struct naming_region *region = &regions->region[i];

		if (region->place_text == NULL || region->begin > 0 || region->is_sample ||
		    region->new_function != NULL || region->new_name != NULL ||
		    strcmp(region->code, code) != 0)
			continue;
		take(region, name);
		regions->named += region->new_name != NULL;
		regions->functions += region->new_name == NULL && region->new_function != NULL;
	}
}

/* A function without a line is news only where there was none: then the name is a place or empty.
 */
static void name_sample(
    struct naming_regions *regions, struct naming_region *region, struct code_namer *namer)
{
	struct code_name name = {0};
	bool has_function = region->name[0] != '\0' && strstr(region->name, "+0x") == NULL;

	if (namer != NULL)
		pomp_code_names.find_line(namer, &region->place, &name);
	bool has_line = name.file != NULL && name.begin > 0;
	if (has_line || (name.function != NULL && !has_function)) {
		region->new_name =
		    memory_copy_text(name.function != NULL ? name.function : region->name);
		region->new_file =
		    memory_copy_text(has_line ? name.file : code_file_name(region->place.module));
		region->new_begin = has_line ? (uint32_t)name.begin : 0;
		regions->named_samples++;
	}
	code_name_free(&name);
}

/* Returns whether the region is a construct at the place that the text begins with: "lib.so+0x12".
 */
static bool is_at(const struct naming_region *region, const char *text)
{
	bool has_line = !region->is_sample && region->place_text != NULL && region->new_begin > 0;
	char *place = has_line ? code_place_short(&region->place) : NULL;
	bool is_same = place != NULL && strcmp(place, text) == 0;

	free(place);
	return is_same && !region->is_barrier;
}

/* In call paths, "parallel at lib.so+0x12" stands for the function that the construct became. */
static void name_construct(const struct naming_regions *regions, struct naming_region *region)
{
	static const char between[] = " at ";
	const char *place = strstr(region->name, between);

	for (size_t i = 0; i < regions->count && place != NULL; i++) {
		const struct naming_region *construct = &regions->region[i];

		if (!is_at(construct, place + strlen(between)))
			continue;
		region->new_name =
		    memory_print("%.*s%s%s:%u", (int)(place - region->name), region->name, between,
			summary_base_name(construct->new_file), construct->new_begin);
		region->new_file = memory_copy_text(construct->new_file);
		return;
	}
}

void naming_find(struct naming_regions *regions, struct code_namer *namer)
{
	for (size_t i = 0; i < regions->count; i++) {
		struct naming_region *region = &regions->region[i];
		size_t end;
		enum construct_id construct = construct_of(region, &end);
		struct code_name name = {0};

		if (region->is_sample && region->place_text != NULL)
			name_sample(regions, region, namer);
		if (region->place_text == NULL || region->begin > 0 || region->new_name != NULL ||
		    construct >= CONSTRUCT_COUNT)
			continue;
		struct code_question question = {
		    .construct = construct_name(construct), .place = region->place};
		if (namer != NULL)
			pomp_code_names.find(namer, &question, &name);
		answer(regions, region->code, &name);
		code_name_free(&name);
	}
	for (size_t i = 0; i < regions->count; i++)
		if (regions->region[i].is_sample && regions->region[i].place_text == NULL)
			name_construct(regions, &regions->region[i]);
}

void naming_free(struct naming_regions *regions)
{
	for (size_t i = 0; i < regions->count; i++) {
		struct naming_region *region = &regions->region[i];

		free(region->name);
		free(region->code);
		free(region->place_text);
		free(region->new_name);
		free(region->new_file);
		free(region->new_function);
	}
	free(regions->region);
	*regions = (struct naming_regions){0};
}
