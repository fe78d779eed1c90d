/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Judges the compiler's messages about the edited text, line by line. A message is exact if every
 * source line that it names or quotes is the same in the preprocessed text as in the user's file.
 * Then no macro and no comment is involved, the columns are the user's, and the compiler would
 * print the same for the original. Output that is not understood leads to the next, more expensive
 * source of messages.
 */
#include "compiler-messages.h"
#include "indentation.h"
#include "construct-report.h"
#include "unchanged-lines.h"
#include "warnings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The sources of messages that the lines read so far still allow. */
struct examination {
	const struct job *job;
	struct unchanged_lines lines;
	const char *file; /* named in the message to which the quotes belong */
	size_t file_length;
	bool exact;  /* still MESSAGES_AS_PRINTED */
	bool parser; /* still MESSAGES_OF_PARSER */
};

/*
 * Reads "FILE:LINE:COLUMN: " at the start of a line. Returns the text after it, or NULL. gcc prints
 * no column for a pragma in preprocessed text; the column is then 0.
 */
static const char *read_place(const char *line, const char *end, struct line_place *place)
{
	for (const char *at = memchr(line, ':', (size_t)(end - line)); at != NULL;
	     at = memchr(at + 1, ':', (size_t)(end - at - 1))) {
		char *after;
		long number = strtol(at + 1, &after, 10);
		if (after == at + 1 || *after != ':' || number <= 0)
			continue;
		*place = (struct line_place){line, (size_t)(at - line), (int)number, 0};
		if (after[1] == ' ')
			return after + 2;
		const char *column = after + 1;
		number = strtol(column, &after, 10);
		if (after == column || after[0] != ':' || after[1] != ' ' || number <= 0)
			continue;
		place->column = (int)number;
		return after + 2;
	}
	return NULL;
}

/* The warning's name in "... [-Wname]" at the end of a line, or NULL. */
static const char *find_name(const char *text, const char *end, size_t *length)
{
	const char *open = end;

	if (end - text < 5 || end[-1] != ']')
		return NULL;
	while (open > text && *open != '[')
		open--;
	if (end - open < 5 || memcmp(open, "[-W", 3) != 0)
		return NULL;
	*length = (size_t)(end - 1 - (open + 3));
	return open + 3;
}

static bool begins_with(const char *text, const char *end, const char *beginning)
{
	size_t length = strlen(beginning);

	return (size_t)(end - text) >= length && memcmp(text, beginning, length) == 0;
}

/* The part of the compiler that detects a warning at that place. */
static enum warning_origin find_origin(const struct examination *examination, const char *text,
    const char *end, const struct line_place *place)
{
	size_t length;
	const char *name = find_name(text, end, &length);
	const char *input = examination->job->input->value;

	if (name == NULL)
		return WARNING_BY_OPTIMISER;
	/* Only the lines of the input itself kept their comments. */
	if (length == 21 && memcmp(name, "implicit-fallthrough=", length) == 0 &&
	    (place->file_length != strlen(input) ||
		memcmp(place->file, input, place->file_length) != 0))
		return WARNING_BY_OPTIMISER;
	/* In a function such a variable is found by the parser, at file scope later. */
	if (begins_with(text, end, "warning: unused variable "))
		return WARNING_BY_PARSER;
	return warning_origin(examination->job->wrapper->compiler.kind, name, length);
}

/* Examines a line that begins with a place: a warning, or a part of one. */
static void examine_message(struct examination *examination, const char *text, const char *end,
    const struct line_place *place)
{
	examination->file = place->file;
	examination->file_length = place->file_length;
	unchanged_lines_add(&examination->lines, place);
	examination->exact &= place->column > 0;
	if (begins_with(text, end, "note: ") || begins_with(text, end, "  required "))
		return;
	enum warning_origin origin = find_origin(examination, text, end, place);
	examination->exact &= origin != WARNING_BY_OPTIMISER;
	examination->parser &= origin == WARNING_BY_PARSER;
}

/* Examines "   12 | the quoted line" and the marks below it. */
static void examine_quote(struct examination *examination, const char *line, const char *end)
{
	char *after;
	long number = strtol(line, &after, 10);
	struct line_place place = {examination->file, examination->file_length, (int)number, 1};

	if (after > line && after + 1 < end && after[0] == ' ' && after[1] == '|' &&
	    examination->file != NULL)
		unchanged_lines_add(&examination->lines, &place);
	else if (memchr(line, '|', (size_t)(end - line)) == NULL)
		examination->exact = false;
}

static void examine_line(struct examination *examination, const char *line, const char *end)
{
	struct line_place place;
	const char *text = read_place(line, end, &place);

	if (line == end || begins_with(line, end, "In file included from ") ||
	    begins_with(line, end, "                 from "))
		return;
	/* From line 10,000 on, a quote begins with the number. */
	const char *digits = line + strspn(line, "0123456789");
	if (line[0] == ' ' || (digits > line && begins_with(digits, end, " |")))
		examine_quote(examination, line, end);
	else if (text != NULL)
		examine_message(examination, text, end, &place);
	else if (end[-1] != ':' && examination->job->wrapper->compiler.kind != COMPILER_CLANG)
		/* Neither "FILE: In function ..." nor any other known line. */
		examination->exact = examination->parser = false;
}

static void examine_text(struct examination *examination, const struct text_file *printed)
{
	const char *end = printed->bytes + printed->length;

	for (const char *line = printed->bytes; line < end;) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		const char *stop = newline != NULL ? newline : end;
		examine_line(examination, line, stop);
		line = stop + 1;
	}
}

/*
 * Do the user's flags enable this warning, directly or by its group? -Wall enables all of its
 * group.
 */
static bool wants_warning(const struct command *command, const char *group, const char *name)
{
	for (size_t i = 0; i < command->words.count; i++) {
		const char *word = command->words.items[i];
		if (strcmp(word, group) == 0 ||
		    (strncmp(word, "-W", 2) == 0 && strncmp(word, "-Wno-", 5) != 0 &&
			strstr(word, name) != NULL))
			return true;
	}
	return false;
}

/* May gcc give warnings for the user's file that it never gives for preprocessed text? */
static bool may_mislead(const struct job *job)
{
	const struct command *command = &job->wrapper->command;
	struct text_file source;
	bool found = false;

	if (!wants_warning(command, "-Wall", "misleading-indentation") &&
	    !wants_warning(command, "-Wall", "multistatement-macros"))
		return false;
	if (job_read_input(job, &source) == 0) {
		found = indentation_may_mislead(source.bytes, source.length, INDENTATION_COLUMNS);
		text_file_finish(&source);
	}
	return found ||
	       indentation_may_mislead(job->text.bytes, job->text.length, INDENTATION_SAME_LINE);
}

/* Does the text contain "fall", in upper or lower case? */
static bool mentions_falling(const struct text_file *text)
{
	for (size_t i = 0; i + 4 <= text->length; i++)
		if ((text->bytes[i] | 0x20) == 'f' && strncasecmp(text->bytes + i, "fall", 4) == 0)
			return true;
	return false;
}

bool messages_depend_on_comments(const struct job *job)
{
	struct text_file source;
	bool found = false;

	if (job->wrapper->compiler.kind == COMPILER_CLANG ||
	    (!wants_warning(&job->wrapper->command, "-Wextra", "implicit-fallthrough") &&
		!wants_warning(&job->wrapper->command, "-W", "implicit-fallthrough")))
		return false;
	if (job_read_input(job, &source) == 0) {
		found = mentions_falling(&source);
		text_file_finish(&source);
	}
	return found;
}

enum messages_source messages_choose_source(const struct job *job)
{
	struct examination examination = {.job = job, .exact = true, .parser = true};
	struct text_file printed[2] = {{0}, {0}};
	bool hidden = may_mislead(job);

	for (size_t i = 0; i < 2; i++)
		if (text_file_read_descriptor(job->messages[i], &printed[i]) != 0)
			examination.exact = examination.parser = false;
	bool no_messages = printed[0].length == 0 && printed[1].length == 0 && examination.exact;
	/*
	 * The preprocessor's messages are those about the user's own file, but they may belong
	 * between the compiler's.
	 */
	if (printed[0].length > 0 && printed[1].length > 0)
		examination.exact = false;
	examine_text(&examination, &printed[1]);
	/*
	 * On a terminal the messages would be coloured. If warnings are errors, the exit code
	 * counts, too.
	 */
	if (hidden || isatty(STDERR_FILENO) ||
	    (job->wrapper->command.roles & ARGUMENT_WARNING_ERROR) != 0 ||
	    job->wrapper->compiler.kind != COMPILER_GCC)
		examination.exact = false;
	if (printed[0].length > 0 && !examination.exact)
		examine_text(&examination, &printed[0]);
	examination.exact =
	    examination.exact && unchanged_lines_hold(&examination.lines, &job->text);
	unchanged_lines_finish(&examination.lines);
	text_file_finish(&printed[0]);
	text_file_finish(&printed[1]);
	if (no_messages && !hidden)
		return MESSAGES_NONE;
	if (examination.exact)
		return MESSAGES_AS_PRINTED;
	return examination.parser ? MESSAGES_OF_PARSER : MESSAGES_OF_COMPILER;
}

static void show(int messages)
{
	struct text_file printed;

	if (text_file_read_descriptor(messages, &printed) == 0)
		fwrite(printed.bytes, 1, printed.length, stderr);
	text_file_finish(&printed);
}

/*
 * Compiles the original for its messages, without an output, because the disk for temporary files
 * may be full. Only files that are named after the object need a place of their own.
 */
static int compile_for_messages(struct job *job, bool parser_only)
{
	const struct command *command = &job->wrapper->command;
	const struct text_file *text = &job->text;
	bool assembly = command->mode == COMMAND_ASSEMBLY;
	char *unused = (command->roles & ARGUMENT_SIDE_FILES) == 0
			   ? NULL
			   : scratch_path(&job->wrapper->scratch, job->number,
				 assembly ? "original.s" : "original.o");
	struct words words = {0};

	wrapper_add_compiler(job->wrapper, &words);
	/* If the command links in the end, clang would warn about a -lm here. */
	unsigned later = command->mode == COMMAND_LINK ? ARGUMENT_LINK | ARGUMENT_LIBRARY : 0;
	command_add(command, MESSAGES_STEP & ~later, &words);
	job_add_header(&words);
	/* Prevents warnings about pomp's own pragmas, which the edited text no longer contains. */
	if (memmem(text->bytes, text->length, "#pragma pomp", 12) != NULL ||
	    memmem(text->bytes, text->length, "#pragma omp inst", 16) != NULL)
		words_add(&words, "-Wno-unknown-pragmas");
	words_add(&words, assembly ? "-S" : "-c");
	words_add(&words, "-o");
	words_add(&words, unused != NULL ? unused : "/dev/null");
	if (parser_only)
		words_add(&words, "-fsyntax-only");
	job_add_input(&words, job->input);
	int code = wrapper_run(job->wrapper, &words, -1, -1);
	words_finish(&words);
	free(unused);
	return code;
}

int messages_show(struct job *job, enum messages_source source)
{
	switch (source) {
	case MESSAGES_NONE:
		break;
	case MESSAGES_AS_PRINTED:
		show(job->messages[0]);
		show(job->messages[1]);
		break;
	case MESSAGES_OF_PARSER:
		return compile_for_messages(job, true);
	case MESSAGES_OF_COMPILER:
		return compile_for_messages(job, false);
	}
	return 0;
}
