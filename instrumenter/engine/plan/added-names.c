/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names under which a text uses the library, its descriptors and its variables.
 *
 * In preprocessed text nothing depends on the program: all added names begin with `__pomp_`.
 * Instrumented source includes pomp.h, calls the library by its names, and names a descriptor after
 * its place, `saxpy_c_6_for`. If the program already has such a name, the added one gets another
 * number. If pomp.h itself would not compile or would change its meaning, the text does not include
 * it and uses the same names as preprocessed text.
 */
#include "added-names.h"

#include "header-names.h"
#include "lexer.h"
#include "shared/text-hash.h"

#include <inttypes.h>
#include <string.h>

/* A name of pomp.h's that the program's text uses, perhaps for something local; or NULL. */
static const char *find_in_text(const struct unit *unit)
{
	const struct inst_input *input = unit->input;
	struct lexer lexer;
	struct token token;

	lexer_init(&lexer, input->text, input->length, 0);
	while ((token = lexer_next(&lexer)).kind != TOKEN_END) {
		const char *name;

		if (token.kind != TOKEN_IDENTIFIER || token.end - token.begin < 5)
			continue;
		if (strchr("poO", input->text[token.begin]) == NULL)
			continue;
		name = arena_copy(unit->arena, input->text + token.begin, token.end - token.begin);
		if (is_pomp_header_name(name))
			return name;
	}
	return NULL;
}

void choose_names(struct unit *unit)
{
	const struct location_result *location = &unit->location;
	const char *collision = NULL;
	bool included = false;

	/* If a module included the header, the types would belong to the module. */
	if (unit->input->form != INST_SOURCE || unit->module)
		return;
	for (size_t i = 0; i < location->name_count; i++)
		included |= strcmp(location->names[i], "POMP_REGISTER") == 0;
	for (size_t i = 0; i < location->name_count && !included; i++)
		if (strcmp(location->names[i], "WORD") == 0)
			unit->has_word = true;
		else
			collision = location->names[i];
	if (!included && collision == NULL)
		collision = find_in_text(unit);
	unit->collision = collision;
	unit->includes_header = collision == NULL;
}

/* Does the program's text contain the name, or was it made up before? */
static bool is_taken(const struct unit *unit, const char *name)
{
	const struct inst_input *input = unit->input;

	if (memmem(input->text, input->length, name, strlen(name)) != NULL)
		return true;
	for (size_t i = 0; i < unit->names.count; i++)
		if (strcmp(unit->names.names[i], name) == 0)
			return true;
	return false;
}

static const char *make_unique(struct unit *unit, const char *wanted)
{
	const char *name = wanted;

	for (int number = 2; is_taken(unit, name); number++)
		name = arena_format(unit->arena, "%s_%d", wanted, number);
	*ARENA_ADD(unit->arena, unit->names.names, unit->names.count, unit->names.room) = name;
	return name;
}

/*
 * A name as an identifier: the file `my-prog 2.c` becomes my_prog_2_c, the directive `target data`
 * becomes target_data. No `__` is made, because C++ reserves names with it.
 */
static const char *identifier_of(struct inst_arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	struct inst_buffer name = {.arena = arena};

	for (const char *at = slash != NULL ? slash + 1 : path; *at != '\0'; at++) {
		bool letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z');
		bool digit = *at >= '0' && *at <= '9';

		if (digit && name.length == 0)
			buffer_add_string(&name, "file_");
		if (letter || digit)
			buffer_add(&name, at, 1);
		else if (name.length > 0 && name.data[name.length - 1] != '_')
			buffer_add_string(&name, "_");
	}
	while (name.length > 0 && name.data[name.length - 1] == '_')
		name.data[--name.length] = '\0';
	return name.length > 0 ? name.data : "file";
}

static const char *place_name(struct unit *unit, const char *file, int line)
{
	return arena_format(unit->arena, "%s_%d", identifier_of(unit->arena, file), line);
}

void name_descriptor(struct unit *unit, size_t index, const char *what)
{
	struct descriptor *descriptor = &unit->descriptors[index];
	const char *place;

	if (!unit->includes_header)
		return;
	place = place_name(unit, descriptor->file, descriptor->begin_first);
	/* It has external linkage, and another file of the same name must not define it too. */
	if (descriptor->external)
		place = arena_format(unit->arena, "%s_%s", place, strrchr(unit->array, '_') + 1);
	descriptor->variable = make_unique(
	    unit, arena_format(unit->arena, "%s_%s", place, identifier_of(unit->arena, what)));
}

const char *descriptor_address(const struct unit *unit, size_t index)
{
	return unit->includes_header
		   ? arena_format(unit->arena, "&%s", unit->descriptors[index].variable)
		   : arena_format(unit->arena, "&%s[%zu]", unit->array, index);
}

const char *local_name(struct unit *unit, const char *what, size_t offset, size_t index)
{
	if (!unit->includes_header)
		return arena_format(unit->arena, "__pomp_%s%zu", what, index);
	return make_unique(unit,
	    arena_format(unit->arena, "pomp_%s_%d", what, scan_place(&unit->scan, offset).line));
}

const char *macro_name(struct unit *unit, size_t offset, size_t index)
{
	struct inst_place place = scan_place(&unit->scan, offset);

	if (!unit->includes_header)
		return arena_format(unit->arena, "%s_in%zu", unit->array, index);
	return make_unique(unit,
	    arena_format(unit->arena, "%s_instrumented", place_name(unit, place.file, place.line)));
}

const char *guard_name(struct unit *unit)
{
	if (!unit->includes_header)
		return arena_format(unit->arena, "%s_", unit->array);
	return make_unique(unit, arena_format(unit->arena, "%s_regions",
				     identifier_of(unit->arena, unit->input->file_name)));
}

const char *list_descriptors(struct unit *unit, const struct construct *construct)
{
	struct inst_buffer list = {.arena = unit->arena};

	buffer_add(&list, "", 0);
	for (size_t i = 0; i < unit->descriptor_count && unit->includes_header; i++) {
		const struct descriptor *descriptor = &unit->descriptors[i];

		if (descriptor->first_use < construct->end &&
		    descriptor->last_use >= construct->pragma->begin)
			buffer_format(
			    &list, "%s%s", list.length > 0 ? ", " : "", descriptor->variable);
	}
	if (!unit->includes_header && unit->descriptor_count > 0)
		buffer_add_string(&list, unit->array);
	return list.data;
}

/*
 * The hash covers everything except line markers: the same text gets the same name in any folder.
 */
const char *array_name(
    struct inst_arena *arena, const struct inst_input *input, const struct inst_scan *scan)
{
	uint64_t hash = TEXT_HASH_START;

	for (size_t i = 0; i < scan->line_count; i++) {
		size_t end = i + 1 < scan->line_count ? scan->lines[i + 1] : input->length;

		if (end - scan->lines[i] >= 2 && memcmp(input->text + scan->lines[i], "# ", 2) == 0)
			continue;
		for (size_t at = scan->lines[i]; at < end; at++)
			hash = text_hash_byte(hash, (unsigned char)input->text[at]);
	}
	return arena_format(arena, "__pomp_%08" PRIx32, (uint32_t)(hash ^ hash >> 32));
}
