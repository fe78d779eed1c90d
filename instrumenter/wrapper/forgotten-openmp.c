/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks for OpenMP directives in files that are compiled without OpenMP. Compilers do not report
 * these (gcc does with -Wall), so a program that was meant to be measured has no constructs, and no
 * message gives the reason. The text is read as it is, without comments: no macros are expanded and
 * no headers are read.
 */
#include "forgotten-openmp.h"

#include "construct-report.h"
#include "decision.h"
#include "mpi-link.h"
#include "text-file.h"

#include <string.h>
#include <strings.h>

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " \t");
}

/*
 * The text after the word and the blanks that follow it, or NULL if the text does not begin with
 * the word.
 */
static const char *skip_word(const char *at, const char *word)
{
	size_t length = strlen(word);

	return at != NULL && strncmp(at, word, length) == 0 && strchr(" \t", at[length]) != NULL &&
		       at[length] != '\0'
		   ? skip_blanks(at + length)
		   : NULL;
}

/* Does the line begin with #pragma omp, [[omp::directive(...)]] or _Pragma("omp ...")? */
static bool is_c_directive(const char *line)
{
	static const char *const beginnings[] = {"[[omp::", "_Pragma(\"omp ", "_Pragma (\"omp "};

	line = skip_blanks(line);
	for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
		if (strncmp(line, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return line[0] == '#' &&
	       skip_word(skip_word(skip_blanks(line + 1), "pragma"), "omp") != NULL;
}

/* Does the line begin with !$omp, or in fixed form with c$omp or *$omp in the first column? */
static bool is_fortran_directive(const char *line)
{
	const char *text = skip_blanks(line);
	bool fixed = text == line && strchr("cC*", line[0]) != NULL && line[0] != '\0';

	return (text[0] == '!' || fixed) && strncasecmp(text + 1, "$omp ", 5) == 0;
}

/* Is the end of a line of C inside a comment? `open`: its beginning is. */
static bool is_comment_open(const char *line, size_t length, bool open)
{
	const char *end = line + length;

	for (const char *at = line; at + 1 < end; at++) {
		if (open && at[0] == '*' && at[1] == '/')
			open = false, at++;
		else if (!open && at[0] == '/' && at[1] == '/')
			break;
		else if (!open && at[0] == '/' && at[1] == '*')
			open = true, at++;
	}
	return open;
}

/* The line of the first directive, or 0. */
static int find_directive(const char *text, bool fortran)
{
	bool comment = false;

	for (int line = 1; *text != '\0'; line++) {
		size_t length = strcspn(text, "\n");
		if (!comment && (fortran ? is_fortran_directive(text) : is_c_directive(text)))
			return line;
		comment = !fortran && is_comment_open(text, length, comment);
		text += length + (text[length] == '\n');
	}
	return 0;
}

/*
 * The line of the first directive in an input; 0 if there is none, -1 if the input cannot contain
 * any.
 */
static int find_in_input(const struct command_part *part)
{
	bool fortran = part->language == LANGUAGE_FORTRAN;
	struct text_file file;

	if (part->role != ARGUMENT_INPUT || (!fortran && !command_part_is_instrumentable(part)) ||
	    text_file_read(part->value, &file) != 0)
		return -1;
	int line = find_directive(file.bytes, fortran);
	text_file_finish(&file);
	return line;
}

/* Did the user choose to compile without OpenMP? */
static bool is_decided(const struct command *command)
{
	bool decided = (command->roles & (ARGUMENT_UNTOUCHED | ARGUMENT_NO_OPENMP)) != 0;

	for (size_t i = 0; i < command->words.count; i++)
		decided |= strcmp(command->words.items[i], "-fopenmp-simd") == 0;
	return decided;
}

void forgotten_openmp_report(const struct wrapper *wrapper)
{
	const struct command *command = &wrapper->command;
	bool warned = false;
	/* It is unknown how other compilers enable OpenMP; those of MPI have been asked. */
	bool known =
	    wrapper->compiler.kind != COMPILER_UNKNOWN || mpi_is_compiler(&wrapper->compiler);

	if (!known || command->openmp || wrapper->options->engine.functions ||
	    is_decided(command) || decision_is_configure_check(command))
		return;
	for (size_t i = 0; i < command->part_count; i++) {
		const struct command_part *part = &command->parts[i];
		int line = find_in_input(part);
		if (line > 0 && (!warned || wrapper->options->verbose))
			report_warning(part->value,
			    "not instrumented: it has OpenMP directives (the first in line %d), "
			    "and -fopenmp is not among the flags",
			    line);
		else if (line == 0 && wrapper->options->verbose)
			report_note(part->value, "nothing to instrument: -fopenmp is not among the "
						 "flags, and the file has no directive");
		warned |= line > 0;
	}
}
