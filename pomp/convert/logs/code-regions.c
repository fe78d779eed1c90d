/* SPDX-License-Identifier: BSD-3-Clause */
/* The input owns the texts that are found here; other texts are in its mapping. */
#include "code-regions.h"

#include "shared/array.h"

#include <stdlib.h>

/* The input takes ownership of a text; NULL is ignored. */
static bool keep(struct convert_input *input, char **text, const char **place)
{
	if (*text == NULL)
		return true;
	if (!ARRAY_PUSH(input->texts, input->text_count, input->text_capacity, *text))
		return false;
	*place = *text;
	*text = NULL;
	return true;
}

static bool take_name(
    struct convert_input *input, struct convert_region *region, struct code_name *name)
{
	bool has_room = keep(input, &name->function, &region->function) &&
			keep(input, &name->sub_name, &region->sub_name);

	if (name->file != NULL && name->begin > 0) {
		has_room = has_room && keep(input, &name->file, &region->file);
		region->head.begin_first = region->head.begin_last = name->begin;
		region->head.end_first = region->head.end_last = name->end;
	}
	return has_room;
}

bool convert_name_regions(struct convert_input *input, const struct trace_conversion *conversion)
{
	for (size_t i = 0; i < input->region_count; i++) {
		struct convert_region *region = &input->regions[i];
		if (region->module == NULL || region->head.begin_first > 0)
			continue;
		struct code_question question = {
		    .construct = region->name,
		    .place = {region->module, region->build_id, region->code.offset,
			(enum code_at)region->code.at, region->code.is_gnu != 0,
			region->code.caller},
		    .lock_offset = region->code.lock_offset,
		};
		struct code_name name = {0};
		if (conversion->namer != NULL)
			conversion->names->find(conversion->namer, &question, &name);
		bool has_room = take_name(input, region, &name);
		code_name_free(&name);
		char *place = region->file[0] == '\0' ? code_place_short(&question.place) : NULL;
		has_room = has_room && keep(input, &place, &region->file);
		free(place);
		if (!has_room)
			return false;
	}
	return true;
}
