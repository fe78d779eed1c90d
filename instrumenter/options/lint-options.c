/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The options of `ompinst lint`. Checks are enabled and disabled like gcc's warnings, -Wopenmp-NAME
 * and -Wno-openmp-NAME, among these options and among a compiler's words.
 */
#include "lint-options.h"
#include "common/nearest-word.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const struct lint_check_row lint_checks[LINT_CHECK_COUNT] = {
#define CHECK(id, check_name, is_on, is_race, function, text)                                      \
	[LINT_##id] = {.name = (check_name), .on = (is_on), .race = (is_race), .about = (text)},
    LINT_CHECKS(CHECK)
#undef CHECK
};

static lint_set default_checks(void)
{
	lint_set checks = 0;

	for (size_t i = 0; i < LINT_CHECK_COUNT; i++)
		if (lint_checks[i].on)
			checks |= LINT_BIT(i);
	return checks;
}

lint_set lint_race_checks(void)
{
	lint_set checks = 0;

	for (size_t i = 0; i < LINT_CHECK_COUNT; i++)
		if (lint_checks[i].on && lint_checks[i].race)
			checks |= LINT_BIT(i);
	return checks;
}

enum lint_check lint_find_check(const char *name, size_t length)
{
	const size_t prefix = strlen("openmp-");

	for (size_t i = 0; i < LINT_CHECK_COUNT; i++) {
		const char *known = lint_checks[i].name;
		for (size_t skip = 0; skip <= prefix; skip += prefix)
			if (strlen(known + skip) == length &&
			    memcmp(known + skip, name, length) == 0)
				return (enum lint_check)i;
	}
	return LINT_CHECK_COUNT;
}

bool lint_read_switch(const char *word, lint_set *checks)
{
	bool off = strncmp(word, "-Wno-", 5) == 0;
	const char *name = word + (off ? 5 : 2);
	enum lint_check check;

	if (strncmp(word, "-W", 2) != 0 || strncmp(name, "openmp", 6) != 0)
		return false;
	if (name[6] == '\0') {
		*checks = off ? 0 : *checks | default_checks();
		return true;
	}
	check = name[6] == '-' ? lint_find_check(name, strlen(name)) : LINT_CHECK_COUNT;
	if (check == LINT_CHECK_COUNT)
		return false;
	*checks = off ? *checks & ~LINT_BIT(check) : *checks | LINT_BIT(check);
	return true;
}

static bool set_all(void *field, const char *value, struct option_reading *reading)
{
	lint_set *checks = field;

	(void)value;
	(void)reading;
	*checks = LINT_BIT(LINT_CHECK_COUNT) - 1;
	return true;
}

/* Reports a name that is not a check. Returns false. */
static bool expect_check(struct option_reading *reading, const char *name, size_t length)
{
	struct nearest_word nearest = {.written = name, .length = length};

	for (size_t i = 0; i < LINT_CHECK_COUNT; i++)
		nearest_word_offer(&nearest, lint_checks[i].name + strlen("openmp-"));
	return option_expected(reading,
	    "'%.*s' is not a check%s%s%s; 'ompinst lint --list' has all", (int)length, name,
	    nearest.name ? " (did you mean '" : "", nearest.name ? nearest.name : "",
	    nearest.name ? "'?)" : "");
}

/* Enables only the checks of a list such as "shared-write,openmp-nowait". */
static bool set_only(void *field, const char *value, struct option_reading *reading)
{
	lint_set *checks = field;

	*checks = 0;
	do {
		size_t length = strcspn(value, ",");
		enum lint_check check = lint_find_check(value, length);
		if (check == LINT_CHECK_COUNT)
			return expect_check(reading, value, length);
		*checks |= LINT_BIT(check);
		value += length;
	} while (*value++ == ',');
	return true;
}

#define FIELD(name) offsetof(struct lint_options, name)
#define FOR_LINT    1u

static const struct option_row rows[] = {
    {FOR_LINT, 0, "--format", "text|json|sarif", "the form of what is printed (text)",
	option_set_choice, FIELD(format), .choices = "text|json|sarif",
	.constant = LINT_FORMAT_TEXT},
    {FOR_LINT, 'o', "--output", "FILE", "write to FILE instead of standard output", option_set_text,
	FIELD(output), .expected = "a file name"},
    {FOR_LINT, 0, "--baseline", "FILE",
	"an earlier report (JSON or SARIF): the findings in it do not count", option_set_text,
	FIELD(baseline), .expected = "a file name"},
    {FOR_LINT, 0, "--since", "COMMIT", "only findings in lines that changed since then (by git)",
	option_set_text, FIELD(since), .expected = "a commit"},
    {FOR_LINT, 0, "--all", NULL, "run the checks that are off by default, too", set_all,
	FIELD(checks)},
    {FOR_LINT, 0, "--only", "NAME,...", "run these checks and no others", set_only, FIELD(checks)},
    {FOR_LINT, 'p', "--build", "FOLDER",
	"take the commands from FOLDER/compile_commands.json, of FILE... or of all",
	option_set_text, FIELD(build), .expected = "a folder"},
    {FOR_LINT, 0, "--cc", "COMPILER", "the compiler that preprocesses FILE (OMPINST_CC, else cc)",
	option_set_text, FIELD(compiler), .expected = "a compiler"},
    {FOR_LINT, 0, "--fix", NULL, "print the changes that fix what has one right remedy, as a diff",
	option_set_flag, FIELD(fix)},
    {FOR_LINT, 0, "--apply", NULL, "with --fix: write the changes to the files", option_set_flag,
	FIELD(apply)},
    {FOR_LINT, 0, "--verify", NULL,
	"with --fix: offer only changes with which the file compiles and the finding is gone",
	option_set_flag, FIELD(verify)},
    {FOR_LINT, 0, "--list", NULL, "print the checks", option_set_flag, FIELD(list)},
    {FOR_LINT, 0, "--help", NULL, "print this text", option_set_flag, FIELD(help)},
};

const struct option_table lint_options_table = {
    rows, sizeof rows / sizeof rows[0], FOR_LINT, .program = "ompinst", .subcommand = "lint"};

int lint_options_read(const char *const *words, struct lint_options *options, char **error)
{
	int count = 0;

	options->checks = default_checks();
	while (words[count] != NULL && words[count][0] == '-' && words[count][1] != '\0') {
		if (strcmp(words[count], "--") == 0)
			return count;
		if (lint_read_switch(words[count], &options->checks)) {
			count++;
			continue;
		}
		int taken = option_read_known(&lint_options_table, words + count, options, error);
		if (taken < 0)
			return -1;
		count += taken;
	}
	return count;
}

void lint_options_print_help(FILE *out)
{
	fputs("usage: ompinst lint [options] FILE... [-- COMPILER-FLAGS]\n"
	      "       ompinst lint [options] COMPILER ARGUMENT...\n"
	      "       ompinst lint [options] -p FOLDER [FILE...]\n"
	      "\n"
	      "Reads C and C++ files and reports what is wrong in their use of OpenMP, without\n"
	      "compiling or running anything. Exit status: 0 nothing found, 1 something found,\n"
	      "2 a command line that is not understood, or a file that cannot be read.\n\n"
	      "options:\n",
	    out);
	option_print_help(out, &lint_options_table);
	fputs("\n-Wopenmp-NAME and -Wno-openmp-NAME switch one check on or off; so they do\n"
	      "among the words of a compiler that ompinst compiles with, where -Wopenmp\n"
	      "switches all default checks on. In the source, a comment on the line or on the\n"
	      "one before switches a check off there: /* ompinst: allow NAME */; so does\n"
	      "/* omp race: allow: REASON */ for all checks about data races.\n",
	    out);
}

void lint_options_print_checks(FILE *out)
{
	for (size_t i = 0; i < LINT_CHECK_COUNT; i++)
		fprintf(out, "%-26s %s%s\n", lint_checks[i].name, lint_checks[i].about,
		    lint_checks[i].on ? "" : " (off by default)");
}
