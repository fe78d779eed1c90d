/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks for each place once, as long as the reading's time is not over. */
#include "place-names.h"

#include "shared/array.h"
#include "thread-times.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLACES = 1 << 12 };

struct named_place {
	char *module, *construct;
	char *path; /* of the module as it is mapped; NULL: unknown */
	uint64_t offset;
	enum code_at at;
	struct code_name name;
};

void place_names_init(struct place_names *names, struct code_lookup *lookup, double seconds)
{
	*names = (struct place_names){.lookup = lookup, .seconds = seconds};
}

void place_names_begin(struct place_names *names)
{
	names->until = clock_now() + (uint64_t)(names->seconds * 1e9);
}

static char *copy(const char *text)
{
	return text != NULL ? strdup(text) : NULL;
}

static void copy_name(struct code_name *to, const struct code_name *from)
{
	*to = (struct code_name){.known = from->known,
	    .function = copy(from->function),
	    .file = copy(from->file),
	    .begin = from->begin,
	    .end = from->end,
	    .sub_name = copy(from->sub_name)};
}

static const struct named_place *find_known(
    const struct place_names *names, const struct code_question *question)
{
	for (size_t i = 0; i < names->count; i++) {
		const struct named_place *place = &names->places[i];
		if (place->offset == question->place.offset && place->at == question->place.at &&
		    strcmp(place->module, question->place.module) == 0 &&
		    strcmp(place->construct, question->construct) == 0)
			return place;
	}
	return NULL;
}

static bool is_among(const struct loaded_modules *modules, const char *path)
{
	for (size_t i = 0; i < modules->count; i++)
		if (strcmp(modules->items[i].path, path) == 0)
			return true;
	return false;
}

/*
 * The path of the module as it is mapped (heap), or NULL. The process may name it through links,
 * and may have loaded it since the last look.
 */
static char *find_mapped(struct place_names *names, pid_t process, const char *module)
{
	char *path = module[0] == '/' ? realpath(module, NULL) : NULL;

	if (path == NULL || is_among(&names->modules, path))
		return path;
	modules_finish(&names->modules);
	if (modules_read(process, &names->modules) == 0 && is_among(&names->modules, path))
		return path;
	free(path);
	return NULL;
}

/* Returns the module's path. */
static char *look_up(struct place_names *names, pid_t process, const struct code_question *question,
    struct code_name *name)
{
	struct code_lookup *lookup = names->lookup;
	uint64_t time = clock_now();

	if (lookup == NULL || lookup->namer == NULL || time >= names->until)
		return NULL;
	char *path = find_mapped(names, process, question->place.module);
	if (path == NULL)
		return NULL;
	lookup->table->limit(lookup->namer, (double)(names->until - time) / 1e9);
	lookup->table->find(lookup->namer, question, name);
	return path;
}

static void free_place(struct named_place *place)
{
	free(place->module);
	free(place->construct);
	free(place->path);
	code_name_free(&place->name);
}

void place_names_find(struct place_names *names, pid_t process,
    const struct code_question *question, struct code_name *name)
{
	const struct named_place *known = find_known(names, question);

	if (known != NULL) {
		copy_name(name, &known->name);
		return;
	}
	struct named_place place = {.path = look_up(names, process, question, name),
	    .module = strdup(question->place.module),
	    .construct = strdup(question->construct),
	    .offset = question->place.offset,
	    .at = question->place.at};
	copy_name(&place.name, name);
	if (place.module == NULL || place.construct == NULL || names->count >= MOST_PLACES ||
	    !ARRAY_PUSH(names->places, names->count, names->room, place))
		free_place(&place);
}

char *place_names_function(const struct place_names *names, const char *path, uint64_t offset)
{
	char *text = NULL;

	for (size_t i = 0; i < names->count; i++) {
		const struct named_place *place = &names->places[i];
		if (place->offset == offset && place->at == CODE_ENTRY &&
		    place->name.function != NULL && place->path != NULL &&
		    strcmp(place->path, path) == 0)
			return asprintf(&text, "%s %s+0x%llx", place->name.function,
				   code_file_name(path), (unsigned long long)offset) >= 0
				   ? text
				   : NULL;
	}
	return NULL;
}

void place_names_finish(struct place_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free_place(&names->places[i]);
	free(names->places);
	modules_finish(&names->modules);
	*names = (struct place_names){NULL};
}
