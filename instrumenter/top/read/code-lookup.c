/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the namer, each question with a limit of time: a view that stands still helps nobody. */
#include "code-lookup.h"

#include "module-symbols.h"
#include "place-names.h"

#include <dlfcn.h>
#include <stdio.h>

#define MOST_SECONDS 0.5

void code_lookup_open(struct code_lookup *lookup, const char *path)
{
	static const struct code_names_settings settings = {.seconds = MOST_SECONDS};

	*lookup = (struct code_lookup){NULL};
	lookup->handle = path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	lookup->table = lookup->handle != NULL ? dlsym(lookup->handle, CODE_NAMES_SYMBOL) : NULL;
	if (lookup->table != NULL && lookup->table->version == CODE_NAMES_VERSION)
		lookup->namer = lookup->table->begin(&settings);
}

/* The library stays loaded: it cannot be unloaded. */
void code_lookup_close(struct code_lookup *lookup)
{
	if (lookup->namer != NULL)
		lookup->table->end(lookup->namer);
	*lookup = (struct code_lookup){NULL};
}

/* The place refers to `identity` afterwards. */
static bool find_place(struct code_place *place, struct module_identity *identity,
    const struct loaded_modules *modules, struct target_memory *memory, uint64_t address)
{
	const struct loaded_module *module = modules_find(modules, address);

	if (module == NULL || !module_identify(memory, module->begin, identity))
		return false;
	*place = (struct code_place){.module = module->path,
	    .build_id = identity->build_id,
	    .offset = address - identity->bias,
	    .at = CODE_ENTRY};
	return true;
}

static char *format_region(
    const struct code_name *name, const struct code_place *place, const struct place_names *names)
{
	char *text = NULL;
	int length;

	if (name->file != NULL && name->begin > 0)
		length = asprintf(&text, "%s:%d %s", code_file_name(name->file), name->begin,
		    name->function != NULL ? name->function : "parallel");
	else if (name->function != NULL)
		length = asprintf(&text, "%s", name->function);
	else if ((text = place_names_function(names, place->module, place->offset)) != NULL)
		return text;
	else
		length = asprintf(&text, "%s+0x%llx", code_file_name(place->module),
		    (unsigned long long)place->offset);
	return length >= 0 ? text : NULL;
}

char *code_lookup_region(struct code_lookup *lookup, const struct place_names *names,
    const struct loaded_modules *modules, struct target_memory *memory, uint64_t function)
{
	struct code_question question = {.construct = "parallel"};
	struct code_name name = {0};
	struct module_identity identity;

	if (!find_place(&question.place, &identity, modules, memory, function))
		return NULL;
	question.place.is_gnu = true;
	if (lookup->namer != NULL) {
		lookup->table->limit(lookup->namer, MOST_SECONDS);
		lookup->table->find(lookup->namer, &question, &name);
	}
	char *text = format_region(&name, &question.place, names);
	code_name_free(&name);
	return text;
}

struct code_name code_lookup_line(struct code_lookup *lookup, const struct loaded_modules *modules,
    struct target_memory *memory, uint64_t address)
{
	struct code_name name = {0};
	struct code_place place;
	struct module_identity identity;

	if (!find_place(&place, &identity, modules, memory, address))
		return name;
	if (lookup->namer != NULL) {
		lookup->table->limit(lookup->namer, MOST_SECONDS);
		lookup->table->find_line(lookup->namer, &place, &name);
	}
	if (name.file != NULL)
		return name;
	name.begin = 0;
	if (name.function != NULL)
		name.file = strdup(code_file_name(place.module));
	else if (asprintf(&name.file, "%s+0x%llx", code_file_name(place.module),
		     (unsigned long long)place.offset) < 0)
		name.file = NULL;
	return name;
}

char *code_lookup_lock(struct code_lookup *lookup, const struct loaded_modules *modules,
    struct target_memory *memory, uint64_t object)
{
	static const char prefix[] = ".gomp_critical_user_";
	struct code_place place;
	struct module_identity identity;
	char *text = NULL, *shown = NULL;

	if (lookup->namer == NULL || !find_place(&place, &identity, modules, memory, object))
		return NULL;
	lookup->table->limit(lookup->namer, MOST_SECONDS);
	text = lookup->table->find_variable(lookup->namer, &place);
	if (text == NULL || strncmp(text, prefix, sizeof prefix - 1) != 0)
		// cppcheck-suppress returnDanglingLifetime ; it is on the heap, not in the place
		return text;
	int length = asprintf(&shown, "critical(%s)", text + sizeof prefix - 1);
	free(text);
	return length >= 0 ? shown : NULL;
}
