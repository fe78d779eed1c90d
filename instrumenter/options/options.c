/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompinst's own options. One table contains name, value, meaning and the function that applies the
 * option; parsing, --help, the manual page and the completion all use it.
 *
 * All our options are long ones. Any other word that starts with '-' belongs to the compiler,
 * because build systems call `ompinst -c file.c` when they drop the second word of CC="ompinst
 * gcc".
 */
#include "options.h"
#include "common/nearest-word.h"
#include "text-file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool set_explain(void *field, const char *value, struct option_reading *reading)
{
	struct options *options = field;

	options->explain = true;
	return option_set_choice(&options->list, value, reading);
}

/* Reports a name that is not a group. Returns false. */
static bool expect_group(struct option_reading *reading, const char *name, size_t length)
{
	struct nearest_word nearest = {.written = name, .length = length};
	const char *known;
	char *names = NULL;
	size_t names_length = 0;
	FILE *list = open_memstream(&names, &names_length);

	for (size_t i = 0; (known = inst_group_name(i)) != NULL; i++) {
		nearest_word_offer(&nearest, known);
		if (list != NULL)
			fprintf(list, "%s%s", i > 0 ? ", " : "", known);
	}
	if (list != NULL)
		fclose(list);
	option_expected(reading, "'%.*s' is not a construct%s%s%s; expected %s", (int)length, name,
	    nearest.name ? " (did you mean '" : "", nearest.name ? nearest.name : "",
	    nearest.name ? "'?)" : "", names ? names : "");
	free(names);
	return false;
}

/* Adds the groups of a list such as "for,lock". */
static bool read_groups(inst_groups *groups, const char *value, struct option_reading *reading)
{
	if (*value == '\0')
		return true; /* an empty list, from a script */
	do {
		size_t length = strcspn(value, ",");
		inst_groups group = inst_find_group(value, length);
		if (group == 0)
			return expect_group(reading, value, length);
		*groups |= group;
		value += length;
	} while (*value++ == ',');
	return true;
}

static bool set_disable(void *field, const char *value, struct option_reading *reading)
{
	return read_groups(field, value, reading);
}

static bool set_only(void *field, const char *value, struct option_reading *reading)
{
	inst_groups *disabled = field, only = 0;

	if (!read_groups(&only, value, reading))
		return false;
	*disabled |= ~only;
	return true;
}

/* Reads the whole filter file; the text must live as long as the process. */
static bool set_functions(void *field, const char *value, struct option_reading *reading)
{
	struct inst_options *engine = field;
	struct text_file file;
	char *text;

	engine->functions = true;
	engine->function_filter = NULL;
	if (value == NULL)
		return true;
	if (text_file_read(value, &file) != 0)
		return option_expected(reading, "cannot read the filter file: %s",
		    errno == EINVAL ? "it is not a regular file" : strerror(errno));
	text = strndup(file.bytes, file.length);
	text_file_finish(&file);
	engine->function_filter = text;
	if (text == NULL)
		return false;
	reading->problem = inst_filter_problem(text);
	return reading->problem == NULL;
}

#define FOR_WRAPPER (1u << USE_WRAPPER)
#define FOR_SOURCE  (1u << USE_SOURCE)
#define FOR_BOTH    (FOR_WRAPPER | FOR_SOURCE)

#define FIELD(name)     offsetof(struct options, name)
#define COUNT_OF(array) (sizeof array / sizeof array[0])

static const struct option_row rows[] = {
    {FOR_BOTH, 0, "--verbose", NULL, "report what was instrumented, and what was not and why",
	option_set_flag, FIELD(verbose)},
    {FOR_BOTH, 0, "--strict", NULL, "fail when a directive cannot be instrumented", option_set_flag,
	FIELD(strict)},
    {FOR_BOTH, 0, "--list", "text|json", "print every construct found; compile and write nothing",
	option_set_choice, FIELD(list), .choices = "text|json", .constant = LIST_TEXT,
	.can_lack_a_value = true},
    {FOR_BOTH, 0, "--explain", "text|json",
	"as --list, with the calls, the barrier and the clauses of each part", set_explain, 0,
	.choices = "text|json", .constant = LIST_TEXT, .can_lack_a_value = true},
    {FOR_WRAPPER, 0, "--dry-run", NULL, "print the commands instead of running them",
	option_set_flag, FIELD(dry_run)},
    {FOR_WRAPPER, 0, "--keep", NULL,
	"keep the instrumented text, as FILE.mod.i beside the object file", option_set_flag,
	FIELD(keep)},
    {FOR_BOTH, 0, "--disable", "NAME,...",
	"do not instrument these constructs: names of directives, or lock", set_disable,
	FIELD(engine.disabled)},
    {FOR_BOTH, 0, "--only", "NAME,...", "instrument these constructs and no others", set_only,
	FIELD(engine.disabled)},
    {FOR_BOTH, 0, "--functions", "FILTER",
	"instrument functions, too: all, or those that the file FILTER includes", set_functions,
	FIELD(engine), .can_lack_a_value = true},
    {FOR_WRAPPER, 0, "--tunable-loops", NULL,
	"loops may get other schedules at run time (POMP_LOOP_SCHEDULES)", option_set_flag,
	FIELD(engine.tunable_loops)},
    {FOR_WRAPPER, 0, "--tunable-tasks", NULL,
	"tasks may get another grain or cut-off at run time (POMP_TASK_GRAINS)", option_set_flag,
	FIELD(engine.tunable_tasks)},
    {FOR_WRAPPER, 0, "--runtime", "bundled|system",
	"the OpenMP runtime to link: ompinst's, or the compiler's own (bundled)", option_set_choice,
	FIELD(runtime), .choices = "bundled|system", .constant = RUNTIME_BUNDLED},
    {FOR_BOTH, 0, "--cc", "COMPILER",
	"the compiler when the command names none (OMPINST_CC, else cc)", option_set_text,
	FIELD(compiler), .expected = "a compiler"},
    {FOR_SOURCE, 0, "--preprocessed", NULL,
	"with FILE.c: write its preprocessed text, instrumented", option_set_flag,
	FIELD(preprocessed)},
    {FOR_BOTH, 0, "--help", NULL, "print this text", option_set_flag, FIELD(help)},
    {FOR_BOTH, 0, "--version", NULL, "print the version, then the compiler's", option_set_flag,
	FIELD(version)},
};

/* The word after an option would otherwise be read as its value, not as the compiler's command. */
const struct option_table options_table = {
    rows, COUNT_OF(rows), FOR_BOTH, .program = "ompinst", .one_word = true};

static const struct option_row variables[] = {
    {FOR_BOTH, 0, "OMPINST", "off", "run the compiler, change nothing"},
    {FOR_BOTH, 0, "OMPINST_OPTIONS", NULL, "more options, separated by blanks"},
    {FOR_BOTH, 0, "OMPINST_CC", NULL, "the compiler when the command names none"},
    {FOR_BOTH, 0, "OMPINST_LIBDIR", NULL, "folder with libpomp.so and ompinst/libgomp.so.1"},
    {FOR_BOTH, 0, "TMPDIR", NULL, "where temporary files go (then TMP, TEMP, /tmp, /var/tmp)"},
};

const struct option_table options_variables = {variables, COUNT_OF(variables), FOR_BOTH};

enum option_outcome options_read_word(const char *word, struct options *options, char **error)
{
	const char *words[] = {word, NULL};
	int taken = option_read(&options_table, words, options, error);

	if (taken < 0)
		return OPTION_WRONG;
	if (taken == 0 && option_find_similar(&options_table, word) == NULL)
		return OPTION_UNKNOWN;
	if (taken == 0) {
		*error = option_describe_unknown(&options_table, word);
		return OPTION_WRONG;
	}
	const struct option_row *row = option_find(&options_table, word);
	for (int use = 0; use < USE_COUNT; use++)
		if (row->uses == 1u << use)
			options->only_for[use] = row->name;
	return OPTION_TAKEN;
}

/* Replaces *error, which is freed, by a formatted heap string. */
static void explain(char **error, const char *format, const char *detail)
{
	char *text = NULL;

	if (asprintf(&text, format, detail) < 0)
		text = NULL;
	free(*error);
	*error = text;
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
		enum option_outcome outcome = options_read_word(words->items[i], options, error);
		if (outcome == OPTION_TAKEN)
			continue;
		if (outcome == OPTION_UNKNOWN)
			*error = option_describe_unknown(&options_table, words->items[i]);
		if (*error != NULL)
			explain(error, "OMPINST_OPTIONS: %s", *error);
		return -1;
	}
	return words->failed ? -1 : 0;
}

void options_print_help(FILE *out)
{
	fputs(
	    "usage: ompinst [options] COMPILER ARGUMENT...       compile with instrumentation\n"
	    "       ompinst [options] FILE.c [-o OUT] [-- ARGUMENT...]\n"
	    "                                                   write the instrumented source\n"
	    "       ompinst run [options] PROGRAM ARGUMENT...   measure a program as it is\n"
	    "       ompinst lint [options] FILE... [-- FLAGS]   report mistakes in the use of OpenMP\n"
	    "       ompinst race COMPILER ARGUMENT...           compile for finding data races\n"
	    "       ompinst race run [options] PROGRAM ARGUMENT...\n"
	    "                                                   run a program and report its races\n"
	    "       ompinst sharing COMPILER ARGUMENT...        compile for finding shared cache lines\n"
	    "       ompinst sharing run [options] PROGRAM ARGUMENT...\n"
	    "                                                   run a program and report them\n"
	    "       ompinst tune [options] PROGRAM ARGUMENT...  search settings that make it faster\n"
	    "       ompinst why|stacks PID|CORE                 what each thread waits for, or does\n"
	    "       ompinst top [options] [PID|NAME]            what programs do while they run\n"
	    "       ompinst snapshot [options] PID|NAME         the profile of a running program so far\n"
	    "       ompinst trace [options] PID                 trace the last seconds of a program\n"
	    "       ompinst control [options] PID               change settings of a running program\n"
	    "       ompinst-gcc, ompinst-g++, ompinst-gfortran, ompinst-clang, ompinst-clang++,\n"
	    "       ompinst-cc, ompinst-c++ ARGUMENT...         the same in one word\n"
	    "\n"
	    "Instruments OpenMP programs: the constructs of each C or C++ file compiled with\n"
	    "-fopenmp call libpomp, which reports when the program ends. Fortran is compiled\n"
	    "as it is and measured through the OpenMP runtime. Whatever cannot be instrumented\n"
	    "is compiled as it is.\n\n"
	    "options:\n",
	    out);
	option_print_help(out, &options_table);
	fputs(
	    "\n-Wopenmp among the compiler's words adds the warnings of 'ompinst lint'; -Wopenmp-NAME\n"
	    "and -Wno-openmp-NAME switch one of them.\n",
	    out);
	fputs("\nenvironment:\n", out);
	option_print_help(out, &options_variables);
}
