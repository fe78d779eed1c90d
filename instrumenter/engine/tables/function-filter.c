/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads and applies filter files; function-filter.h describes the syntax. Knows nothing about
 * functions.
 */
#include "function-filter.h"

#include "engine.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum block { BLOCK_NONE, BLOCK_FILES, BLOCK_NAMES };

static const struct {
	const char *word;
	enum block needs, becomes;
} block_words[] = {
    {"SCOREP_FILE_NAMES_BEGIN", BLOCK_NONE, BLOCK_FILES},
    {"SCOREP_FILE_NAMES_END", BLOCK_FILES, BLOCK_NONE},
    {"SCOREP_REGION_NAMES_BEGIN", BLOCK_NONE, BLOCK_NAMES},
    {"SCOREP_REGION_NAMES_END", BLOCK_NAMES, BLOCK_NONE},
};

struct reading {
	struct inst_arena *arena;
	const char *at;
	int line;
	struct filter *filter;
	enum block block;
	bool has_verb, includes, mangled;
};

/* Skips blanks and comments and counts lines. */
static void skip_space(struct reading *reading)
{
	for (; *reading->at != '\0'; reading->at++) {
		if (*reading->at == '#')
			reading->at += strcspn(reading->at, "\n");
		if (*reading->at == '\n')
			reading->line++;
		else if (*reading->at == '\0' || strchr(" \t\r\f\v", *reading->at) == NULL)
			return;
	}
}

/* The next word as written; a blank or `#` after `\` is part of it. */
static const char *next_word(struct reading *reading)
{
	const char *begin = reading->at;

	while (*reading->at != '\0' && strchr(" \t\r\f\v\n#", *reading->at) == NULL)
		reading->at += *reading->at == '\\' && reading->at[1] != '\0' ? 2 : 1;
	return arena_copy(reading->arena, begin, (size_t)(reading->at - begin));
}

static const char *read_block_word(struct reading *reading, const char *word)
{
	for (size_t i = 0; i < sizeof block_words / sizeof *block_words; i++) {
		if (strcmp(word, block_words[i].word) != 0)
			continue;
		if (reading->block != block_words[i].needs)
			return arena_format(reading->arena, "'%s' %s", word,
			    block_words[i].needs == BLOCK_NONE ? "stands inside of a block"
							       : "ends a block that is not open");
		reading->block = block_words[i].becomes;
		reading->has_verb = false;
		return NULL;
	}
	return arena_format(reading->arena,
	    "'%s': expected SCOREP_FILE_NAMES_BEGIN or SCOREP_REGION_NAMES_BEGIN", word);
}

/* Returns NULL, or what is wrong. */
static const char *read_word(struct reading *reading, const char *word)
{
	struct filter *filter = reading->filter;
	bool verb = strcmp(word, "INCLUDE") == 0 || strcmp(word, "EXCLUDE") == 0;

	if (reading->block == BLOCK_NONE || strncmp(word, "SCOREP_", strlen("SCOREP_")) == 0)
		return read_block_word(reading, word);
	if (verb) {
		reading->has_verb = true;
		reading->includes = *word == 'I';
		reading->mangled = false;
	} else if (!reading->has_verb) {
		return arena_format(
		    reading->arena, "'%s': expected INCLUDE or EXCLUDE before it", word);
	} else if (strcmp(word, "MANGLED") == 0 && reading->block == BLOCK_NAMES) {
		reading->mangled = true;
	} else {
		*ARENA_ADD(reading->arena, filter->rules, filter->count, filter->room) =
		    (struct filter_rule){
			reading->block == BLOCK_FILES, reading->includes, reading->mangled, word};
	}
	return NULL;
}

struct filter filter_read(struct inst_arena *arena, const char *text)
{
	struct filter filter = {.error = NULL};
	struct reading reading = {
	    .arena = arena, .at = text, .line = 1, .filter = &filter, .block = BLOCK_NONE};

	for (skip_space(&reading); *reading.at != '\0' && filter.error == NULL;
	     skip_space(&reading)) {
		filter.error_line = reading.line;
		filter.error = read_word(&reading, next_word(&reading));
	}
	if (filter.error == NULL && reading.block != BLOCK_NONE)
		filter.error = "its last block has no end";
	return filter;
}

bool filter_takes_file(const struct filter *filter, const char *file)
{
	bool takes = true;

	for (size_t i = 0; i < filter->count; i++)
		if (filter->rules[i].of_files && fnmatch(filter->rules[i].pattern, file, 0) == 0)
			takes = filter->rules[i].includes;
	return takes;
}

bool filter_takes_function(
    const struct filter *filter, const char *name, const char *signature, const char *mangled)
{
	bool takes = true;

	for (size_t i = 0; i < filter->count; i++) {
		const struct filter_rule *rule = &filter->rules[i];

		if (rule->of_files)
			continue;
		if (rule->mangled ? fnmatch(rule->pattern, mangled, 0) == 0
				  : fnmatch(rule->pattern, name, 0) == 0 ||
					fnmatch(rule->pattern, signature, 0) == 0)
			takes = rule->includes;
	}
	return takes;
}

static char *find_problem(struct inst_arena *arena, const char *text)
{
	struct filter filter = filter_read(arena, text);

	return filter.error == NULL
		   ? NULL
		   : strdup(arena_format(arena, "line %d: %s", filter.error_line, filter.error));
}

char *inst_filter_problem(const char *text)
{
	struct inst_arena arena = {.blocks = NULL};
	char *problem;

	if (setjmp(arena.out_of_memory) != 0) {
		arena_finish(&arena);
		return strdup("out of memory");
	}
	problem = find_problem(&arena, text);
	arena_finish(&arena);
	return problem;
}
