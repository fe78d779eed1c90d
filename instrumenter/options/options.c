/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompinst's own options. One table holds name, value, meaning and the function that applies it;
 * parsing, --help, the manual page and the completion read nothing else.
 *
 * All our options are long ones: whatever else starts with '-' belongs to the compiler, because
 * build systems call `ompinst -c file.c` when they drop the second word of CC="ompinst gcc".
 */
#include "options.h"
#include "text-file.h"
#include "common/nearest-word.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Applies one option; the returned text (heap) says what is wrong with value, NULL: nothing. */
typedef char *option_setter(struct options *options, const char *value);

static char *set_verbose(struct options *options, const char *value)
{
	(void)value;
	options->verbose = true;
	return NULL;
}

static char *set_strict(struct options *options, const char *value)
{
	(void)value;
	options->strict = true;
	return NULL;
}

static char *set_dry_run(struct options *options, const char *value)
{
	(void)value;
	options->dry_run = true;
	return NULL;
}

static char *set_keep(struct options *options, const char *value)
{
	(void)value;
	options->keep = true;
	return NULL;
}

static char *set_preprocessed(struct options *options, const char *value)
{
	(void)value;
	options->preprocessed = true;
	return NULL;
}

static char *set_help(struct options *options, const char *value)
{
	(void)value;
	options->help = true;
	return NULL;
}

static char *set_version(struct options *options, const char *value)
{
	(void)value;
	options->version = true;
	return NULL;
}

static char *set_list(struct options *options, const char *value)
{
	if (value == NULL || strcmp(value, "text") == 0)
		options->list = LIST_TEXT;
	else if (strcmp(value, "json") == 0)
		options->list = LIST_JSON;
	else
		return strdup("expected text or json");
	return NULL;
}

static char *set_explain(struct options *options, const char *value)
{
	options->explain = true;
	return set_list(options, value);
}

static char *set_runtime(struct options *options, const char *value)
{
	if (strcmp(value, "bundled") == 0)
		options->runtime = RUNTIME_BUNDLED;
	else if (strcmp(value, "system") == 0)
		options->runtime = RUNTIME_SYSTEM;
	else
		return strdup("expected bundled or system");
	return NULL;
}

static char *set_compiler(struct options *options, const char *value)
{
	if (value[0] == '\0')
		return strdup("expected a compiler");
	options->compiler = value;
	return NULL;
}

/* What is wrong with a name that is no group's (heap). */
static char *describe_unknown_group(const char *name, size_t length)
{
	const char *known, *similar = NULL;
	size_t best = 3; /* more than two slips is another word */
	char *whole = NULL, *names = strdup("");

	for (size_t i = 0; (known = inst_group_name(i)) != NULL && names != NULL; i++) {
		size_t distance = edit_distance(name, length, known);
		char *more = NULL;
		if (distance < best) {
			best = distance;
			similar = known;
		}
		if (asprintf(&more, "%s%s%s", names, i > 0 ? ", " : "", known) < 0)
			more = NULL;
		free(names);
		names = more;
	}
	if (asprintf(&whole, "'%.*s' is no construct%s%s%s; there are %s", (int)length, name,
		similar ? " (did you mean " : "", similar ? similar : "", similar ? "?)" : "",
		names ? names : "") < 0)
		whole = NULL;
	free(names);
	return whole != NULL ? whole : strdup("out of memory");
}

static char *set_disable(struct options *options, const char *value)
{
	if (*value == '\0')
		return NULL; /* a script's empty list */
	do {
		size_t length = strcspn(value, ",");
		inst_groups group = inst_find_group(value, length);
		if (group == 0)
			return describe_unknown_group(value, length);
		options->engine.disabled |= group;
		value += length;
	} while (*value++ == ',');
	return NULL;
}

static char *set_only(struct options *options, const char *value)
{
	const inst_groups before = options->engine.disabled;
	char *complaint;

	options->engine.disabled = 0;
	complaint = set_disable(options, value);
	options->engine.disabled = before | ~options->engine.disabled;
	return complaint;
}

/* Reads the whole filter file, which must live as long as the process. */
static char *set_functions(struct options *options, const char *value)
{
	struct text_file file;
	char *text, *complaint = NULL;

	options->engine.functions = true;
	options->engine.function_filter = NULL;
	if (value == NULL)
		return NULL;
	if (text_file_read(value, &file) != 0) {
		const char *reason = errno == EINVAL ? "it is not a regular file" : strerror(errno);
		if (asprintf(&complaint, "cannot read the filter file: %s", reason) < 0)
			complaint = NULL;
		return complaint != NULL ? complaint : strdup("out of memory");
	}
	text = strndup(file.bytes, file.length);
	text_file_finish(&file);
	options->engine.function_filter = text;
	return text != NULL ? inst_filter_problem(text) : strdup("out of memory");
}

enum value_need { VALUE_NONE, VALUE_OPTIONAL, VALUE_REQUIRED };

static const struct option_row {
	const char *name;
	enum value_need need;
	const char *value; /* as --help shows it */
	option_setter *set;
	const char *meaning;
	enum option_door door;
} rows[] = {
    {"--verbose", VALUE_NONE, NULL, set_verbose,
	"say what was instrumented, and what was not and why"},
    {"--strict", VALUE_NONE, NULL, set_strict, "fail when a directive cannot be instrumented"},
    {"--list", VALUE_OPTIONAL, "text|json", set_list,
	"print every construct found; compile and write nothing"},
    {"--explain", VALUE_OPTIONAL, "text|json", set_explain,
	"the same, with the calls, the barrier and the clauses of each part"},
    {"--dry-run", VALUE_NONE, NULL, set_dry_run, "print the commands instead of running them",
	DOOR_WRAPPER},
    {"--keep", VALUE_NONE, NULL, set_keep,
	"keep the instrumented text, as FILE.mod.i beside the object file", DOOR_WRAPPER},
    {"--disable", VALUE_REQUIRED, "NAME,...", set_disable,
	"leave these constructs alone: names of directives, or lock"},
    {"--only", VALUE_REQUIRED, "NAME,...", set_only, "instrument these constructs and no others"},
    {"--functions", VALUE_OPTIONAL, "FILTER", set_functions,
	"instrument functions, too: all, or those that a filter takes"},
    {"--runtime", VALUE_REQUIRED, "bundled|system", set_runtime,
	"the OpenMP runtime to link (gcc: bundled; clang: always its own)", DOOR_WRAPPER},
    {"--cc", VALUE_REQUIRED, "COMPILER", set_compiler,
	"the compiler when the command names none (OMPINST_CC, else cc)"},
    {"--preprocessed", VALUE_NONE, NULL, set_preprocessed,
	"source door: write the preprocessed text instead", DOOR_SOURCE},
    {"--help", VALUE_NONE, NULL, set_help, "print this text"},
    {"--version", VALUE_NONE, NULL, set_version, "print the version, then the compiler's"},
};

#define ROW_COUNT (sizeof rows / sizeof rows[0])

static const struct option_text variables[] = {
    {"OMPINST", "off", false, "run the compiler, change nothing"},
    {"OMPINST_OPTIONS", NULL, false, "more options, separated by blanks"},
    {"OMPINST_CC", NULL, false, "the compiler when the command names none"},
    {"OMPINST_LIBDIR", NULL, false, "folder with libpomp.so and ompinst/libgomp.so.1"},
    {"TMPDIR", NULL, false, "where temporary files go (then TMP, TEMP, /tmp, /var/tmp)"},
};

/* The option that a misspelt word most likely means, or NULL. */
static const struct option_row *find_similar(const char *word, size_t length)
{
	const struct option_row *best = NULL;
	size_t best_distance = 3; /* more than two slips is another word */

	if (strncmp(word, "--", 2) != 0)
		return NULL;
	for (size_t i = 0; i < ROW_COUNT; i++) {
		size_t d = edit_distance(word, length, rows[i].name);
		if (d < best_distance) {
			best_distance = d;
			best = &rows[i];
		}
	}
	return best;
}

static void explain(char **error, const char *format, const char *word, const char *detail)
{
	if (asprintf(error, format, word, detail) < 0)
		*error = NULL;
}

enum option_outcome option_read(const char *word, struct options *options, char **error)
{
	size_t length = strcspn(word, "=");
	const char *value = word[length] == '=' ? word + length + 1 : NULL;

	for (size_t i = 0; i < ROW_COUNT; i++) {
		const struct option_row *row = &rows[i];
		if (strncmp(word, row->name, length) != 0 || row->name[length] != '\0')
			continue;
		if (value == NULL && row->need == VALUE_REQUIRED) {
			explain(error, "option '%s' needs a value: %s", word, row->value);
			return OPTION_WRONG;
		}
		if (value != NULL && row->need == VALUE_NONE) {
			explain(error, "option '%s' takes no value; write %s", word, row->name);
			return OPTION_WRONG;
		}
		char *complaint = row->set(options, value);
		if (complaint == NULL && row->door != DOOR_BOTH)
			options->only_for[row->door] = row->name;
		if (complaint == NULL)
			return OPTION_TAKEN;
		explain(error, "option '%s': %s", word, complaint);
		free(complaint);
		return OPTION_WRONG;
	}
	const struct option_row *similar = find_similar(word, length);
	if (similar == NULL)
		return OPTION_UNKNOWN;
	explain(error, "unknown option '%s'; did you mean %s?", word, similar->name);
	return OPTION_WRONG;
}

int options_read_list(const char *list, struct words *words, struct options *options, char **error)
{
	static const char blanks[] = " \t\n";
	size_t length;

	for (list += strspn(list, blanks); *list != '\0'; list += strspn(list, blanks)) {
		length = strcspn(list, blanks);
		words_add_bytes(words, list, length);
		list += length;
	}
	for (size_t i = 0; i < words->count; i++) {
		enum option_outcome outcome = option_read(words->items[i], options, error);
		char *complaint = *error;
		if (outcome == OPTION_TAKEN)
			continue;
		if (outcome == OPTION_UNKNOWN)
			explain(error, "OMPINST_OPTIONS: '%s' is no option of ompinst%s",
			    words->items[i], "; ompinst --help lists them");
		else
			explain(error, "OMPINST_OPTIONS: %s%s", complaint ? complaint : "", "");
		free(complaint);
		return -1;
	}
	return words->failed ? -1 : 0;
}

/* "--name", "--name=VALUE" or "--name[=VALUE]". */
static int print_name(FILE *out, const struct option_row *row)
{
	if (row->need == VALUE_NONE)
		return fprintf(out, "%s", row->name);
	if (row->need == VALUE_OPTIONAL)
		return fprintf(out, "%s[=%s]", row->name, row->value);
	return fprintf(out, "%s=%s", row->name, row->value);
}

void options_print_help(FILE *out)
{
	fputs("usage: ompinst [options] COMPILER ARGUMENT...       compile with instrumentation\n"
	      "       ompinst [options] FILE.c [-o OUT] [-- ARGUMENT...]\n"
	      "                                                   write the instrumented source\n"
	      "       ompinst-gcc, ompinst-g++, ompinst-clang, ompinst-clang++, ompinst-cc,\n"
	      "       ompinst-c++ ARGUMENT...                     the same in one word\n"
	      "\n"
	      "Instruments OpenMP programs: the constructs of each C or C++ file compiled with\n"
	      "-fopenmp call libpomp, which reports when the program ends. Whatever cannot be\n"
	      "instrumented is compiled as it is.\n\n"
	      "options:\n",
	    out);
	for (size_t i = 0; i < ROW_COUNT; i++) {
		fputs("  ", out);
		int width = print_name(out, &rows[i]);
		fprintf(out, "%*s%s\n", width < 26 ? 28 - width : 2, "", rows[i].meaning);
	}
	fputs("\nenvironment:\n", out);
	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
		const struct option_text *variable = &variables[i];
		int width = variable->value != NULL
				? fprintf(out, "  %s=%s", variable->name, variable->value)
				: fprintf(out, "  %s", variable->name);
		fprintf(out, "%*s%s\n", 30 - width, "", variable->meaning);
	}
}

bool option_describe(size_t index, struct option_text *text)
{
	if (index >= ROW_COUNT)
		return false;
	*text = (struct option_text){rows[index].name, rows[index].value,
	    rows[index].need == VALUE_OPTIONAL, rows[index].meaning};
	return true;
}

bool option_describe_variable(size_t index, struct option_text *text)
{
	if (index >= sizeof variables / sizeof variables[0])
		return false;
	*text = variables[index];
	return true;
}
