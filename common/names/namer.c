/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers questions about places; keeps modules and sources open between questions. */
#include "namer.h"

#include "choose.h"
#include "function-name.h"
#include "module.h"
#include "shared/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct code_namer {
	struct code_names_settings settings;
	double deadline; /* on the monotonic clock; 0: none */
	bool ran_out;    /* of time */
	struct module **modules;
	size_t module_count, module_room;
	struct sources sources;
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static bool has_time(void *context)
{
	struct code_namer *namer = context;

	if (!namer->ran_out && namer->deadline > 0 && now() > namer->deadline)
		namer->ran_out = true;
	return !namer->ran_out;
}

static void limit(struct code_namer *namer, double seconds)
{
	namer->deadline = seconds > 0 ? now() + seconds : 0;
	namer->ran_out = false;
}

static struct code_namer *begin(const struct code_names_settings *settings)
{
	struct code_namer *namer = calloc(1, sizeof(*namer));

	if (namer == NULL)
		return NULL;
	namer->settings = *settings;
	limit(namer, settings->seconds);
	return namer;
}

static struct module *find_module(
    const struct code_namer *namer, const char *path, const char *build_id)
{
	for (size_t i = 0; i < namer->module_count; i++)
		if (strcmp(namer->modules[i]->path, path) == 0 &&
		    (build_id == NULL || strcmp(namer->modules[i]->build_id, build_id) == 0))
			return namer->modules[i];
	return NULL;
}

static struct module *module_of(struct code_namer *namer, const struct code_place *place)
{
	struct module *module = find_module(namer, place->module, place->build_id);

	if (module != NULL)
		return module;
	module = calloc(1, sizeof(*module));
	if (module == NULL)
		return NULL;
	names_module_open(module, place->module, place->build_id, namer->settings.debug_dirs);
	if (module->path == NULL || module->build_id == NULL ||
	    !ARRAY_PUSH(namer->modules, namer->module_count, namer->module_room, module)) {
		names_module_close(module);
		free(module);
		return NULL;
	}
	return module;
}

/* The same, with its debug information. */
static struct module *module_with_debug(struct code_namer *namer, const struct code_place *place)
{
	struct module *module = module_of(namer, place);

	if (module != NULL)
		names_module_read_debug(module, namer->settings.debug_dirs, has_time, namer);
	return module;
}

/* Returns the last line of the function's own code. */
static int last_line(const struct code_level *level)
{
	int last = 0;

	for (size_t i = 0; i < level->row_count; i++)
		last = level->rows[i].line > last ? level->rows[i].line : last;
	return last;
}

static char *copy_of(const char *text)
{
	return text != NULL ? strdup(text) : NULL;
}

/* For a barrier that ends another construct, the sub-name is that construct ("of for"). */
static char *sub_name_of(const struct choice *choice, const char *construct)
{
	if (strcmp(construct, "critical") == 0)
		return names_directive_critical_name(choice->directive);
	if (!choice->is_other)
		return NULL;
	char *name;
	const int length = (int)choice->directive->name_length;
	return asprintf(&name, "of %.*s", length, choice->directive->text) >= 0 ? name : NULL;
}

static void use_levels(struct code_namer *namer, const struct module *module,
    const struct code_question *question, const struct code_levels *levels, struct code_name *name)
{
	struct choice choice = names_choose_directive(&namer->sources, module, question, levels);
	const struct code_level *level = &levels->level[choice.level];

	name->function = copy_of(level->function);
	if (choice.line == 0 || level->file == NULL)
		return;
	name->file = copy_of(level->file);
	name->known = CODE_KNOWN_LINE;
	name->begin = name->end = choice.line;
	if (choice.directive != NULL) {
		name->known = CODE_KNOWN_DIRECTIVE;
		name->begin = choice.directive->begin;
		name->end = choice.directive->end;
		name->directive = copy_of(choice.directive->text);
		if (name->sub_name == NULL)
			name->sub_name = sub_name_of(&choice, question->construct);
	}
	if (question->place.at == CODE_ENTRY && last_line(level) > name->end)
		name->end = last_line(level);
}

/* LLVM's runtime calls itself: such functions do not belong to the user. */
static bool is_of_runtime(const char *symbol)
{
	return strncmp(symbol, "__kmp", strlen("__kmp")) == 0;
}

/*
 * A function of the user's may end with a jump to the runtime. The call then returns to the caller
 * of that function, and the code at the return address called that function. Such a question is
 * about the beginning of the called function, as the runtime reports it for outlined functions too.
 */
static struct code_question at_jump(
    const struct module *module, const struct code_question *question)
{
	struct code_question better = *question;

	if (question->place.at != CODE_RETURN)
		return better;
	uint64_t target = names_module_call_target(module, question->place.offset);
	const struct symbol *symbol =
	    target != 0 ? names_symbols_function(&module->symbols, target) : NULL;
	if (symbol != NULL && symbol->start == target && symbol->size > 0)
		better.place.offset = target + 1;
	return better;
}

/* Returns the functions that contain the code, level by level; none without debug information. */
static struct code_levels levels_at(const struct module *module, uint64_t address)
{
	const struct symbol *symbol = names_symbols_function(&module->symbols, address);
	uint64_t start = symbol != NULL ? symbol->start : 0;

	if (module->info == NULL)
		return (struct code_levels){0};
	return names_debug_info_levels(
	    module->info, address, start, symbol != NULL ? symbol->start + symbol->size : 0);
}

static bool has_own_line(const struct code_level *level)
{
	for (size_t i = 0; i < level->row_count; i++)
		if (!names_level_declares(level, level->rows[i].line))
			return true;
	return false;
}

/*
 * The entry of a function that does not begin with a line, as flang makes them. The function that
 * calls the runtime for it begins before the construct. If the construct has no code with a line,
 * the question is about that call instead.
 */
static void find_by_caller(struct code_namer *namer, const struct module *module,
    const struct code_question *question, struct code_levels *levels, struct code_name *name)
{
	struct code_levels callers = levels_at(module, question->place.caller - 1);
	const struct code_level *outer = callers.count > 0 ? &callers.level[0] : NULL;
	struct code_question call = *question;

	const struct code_level *made = &levels->level[levels->count - 1];
	for (size_t i = 0; outer != NULL && i < outer->row_count; i++)
		if (levels->behind == 0 || outer->rows[i].line < levels->behind)
			levels->behind = outer->rows[i].line;
	levels->caller = outer;
	levels->call = question->place.caller;
	if (!has_own_line(made) && outer != NULL) {
		call.place.at = CODE_RETURN;
		call.place.offset = question->place.caller;
		use_levels(namer, module, &call, &callers, name);
	} else {
		use_levels(namer, module, question, levels, name);
	}
	names_code_levels_free(&callers);
}

static bool find(
    struct code_namer *namer, const struct code_question *asked, struct code_name *name)
{
	*name = (struct code_name){0};
	struct module *module = has_time(namer) ? module_with_debug(namer, &asked->place) : NULL;
	if (module == NULL)
		return namer->ran_out;
	const struct code_question better = at_jump(module, asked), *question = &better;
	const struct code_place *place = &question->place;
	uint64_t address = place->offset - (place->at == CODE_RETURN);
	if (question->lock_offset != 0)
		name->sub_name = names_symbols_critical(&module->symbols, question->lock_offset);
	const struct symbol *symbol = names_symbols_function(&module->symbols, address);
	struct code_levels levels = levels_at(module, address);
	if (levels.count > 0 && place->at == CODE_ENTRY && place->caller != 0 &&
	    !levels.level[levels.count - 1].begins_with_line)
		find_by_caller(namer, module, question, &levels, name);
	else if (levels.count > 0)
		use_levels(namer, module, question, &levels, name);
	names_code_levels_free(&levels);
	/* A stripped library's tables lack outlined functions, but often contain their callers. */
	if (symbol == NULL && place->at == CODE_ENTRY && place->caller != 0)
		symbol = names_symbols_function(&module->symbols, place->caller - 1);
	if (name->function == NULL && symbol != NULL && !is_of_runtime(symbol->name))
		name->function = names_function_name_of_symbol(symbol->name);
	if (name->known == CODE_KNOWN_PLACE && name->function != NULL)
		name->known = CODE_KNOWN_FUNCTION;
	return true;
}

/* Adds the function of a symbol, if debug information has none. */
static void add_symbol(const struct module *module, uint64_t address, struct code_name *name)
{
	const struct symbol *symbol =
	    name->function == NULL ? names_symbols_function(&module->symbols, address) : NULL;

	if (symbol != NULL)
		name->function = names_function_name_of_symbol(symbol->name);
	name->known = name->file != NULL && name->begin > 0 ? CODE_KNOWN_LINE
		      : name->function != NULL              ? CODE_KNOWN_FUNCTION
							    : CODE_KNOWN_PLACE;
}

static bool find_line(
    struct code_namer *namer, const struct code_place *place, struct code_name *name)
{
	*name = (struct code_name){0};
	const struct module *module = has_time(namer) ? module_with_debug(namer, place) : NULL;
	if (module == NULL)
		return namer->ran_out;
	uint64_t address = place->offset - (place->at == CODE_RETURN);
	if (module->info != NULL)
		names_debug_info_line(module->info, address, name);
	add_symbol(module, address, name);
	return true;
}

static bool find_function(
    struct code_namer *namer, const struct code_place *place, struct code_name *name)
{
	*name = (struct code_name){0};
	const struct module *module = has_time(namer) ? module_of(namer, place) : NULL;
	if (module == NULL)
		return namer->ran_out;
	add_symbol(module, place->offset - (place->at == CODE_RETURN), name);
	return true;
}

static uint64_t debug_bytes(struct code_namer *namer, const struct code_place *place)
{
	const struct module *module = has_time(namer) ? module_of(namer, place) : NULL;

	return module != NULL ? names_module_debug_bytes(module) : 0;
}

/*
 * Only a C++ symbol contains the namespaces and classes; symbols of variables in functions do not
 * help.
 */
static char *qualified_name(const struct symbol *symbol)
{
	bool is_qualified = symbol != NULL && strncmp(symbol->name, "_Z", 2) == 0 &&
			    strncmp(symbol->name, "_ZZ", 3) != 0;

	return is_qualified ? names_function_name_of_symbol(symbol->name) : NULL;
}

static char *variable_by_symbol(const struct symbol *symbol, uint64_t address)
{
	char *base = strncmp(symbol->name, "_ZZ", 3) == 0
			 ? strdup(symbol->name)
			 : names_function_name_of_symbol(symbol->name);
	char *text = NULL;

	if (base == NULL || symbol->start == address)
		return base;
	if (asprintf(
		&text, "%s + %llu bytes", base, (unsigned long long)(address - symbol->start)) < 0)
		text = NULL;
	free(base);
	return text;
}

static char *find_variable(struct code_namer *namer, const struct code_place *place)
{
	struct module *module = has_time(namer) ? module_with_debug(namer, place) : NULL;
	uint64_t address = place->offset;
	char *name = NULL;

	if (module == NULL)
		return NULL;
	const struct symbol *symbol = names_symbols_variable(&module->symbols, address);
	if (module->dwarf != NULL) {
		char *base = qualified_name(symbol);
		name = names_variable_at(
		    &module->variables, module->dwarf, address, base, has_time, namer);
		free(base);
	}
	if (name == NULL && symbol != NULL)
		name = variable_by_symbol(symbol, address);
	return name;
}

static const char *problem(struct code_namer *namer, const char *path)
{
	const struct module *module = find_module(namer, path, NULL);

	if (module == NULL)
		return namer->ran_out ? "was not read for want of time" : NULL;
	if (module->problem == NULL && namer->ran_out)
		return "was not read to its end for want of time";
	return module->problem;
}

static void end(struct code_namer *namer)
{
	if (namer == NULL)
		return;
	for (size_t i = 0; i < namer->module_count; i++) {
		names_module_close(namer->modules[i]);
		free(namer->modules[i]);
	}
	free(namer->modules);
	names_sources_free(&namer->sources);
	free(namer);
}

const struct code_names_table pomp_code_names = {CODE_NAMES_VERSION, begin, limit, find, find_line,
    find_function, debug_bytes, find_variable, problem, end};
