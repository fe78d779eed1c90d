/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Judges what the compiler said about the edited text, line by line. A message is exact when every
 * source line that it names or quotes stands in the preprocessed text as the user wrote it: then no
 * macro and no comment is involved, the columns are the user's, and the compiler would have said
 * the same of the original. Anything in the output that is not understood makes the judgement fall
 * to the next, dearer source.
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

/* What the lines read so far allow. */
struct judgement {
	const struct job *job;
	struct verbatim verbatim;
	const char *file; /* of the message that quotes follow */
	size_t file_length;
	bool exact;  /* still MESSAGES_AS_SAID */
	bool parser; /* still MESSAGES_OF_PARSER */
};

/*
 * Finds "FILE:LINE:COLUMN: " at the start of a line; the text behind it, or NULL. Of a pragma in
 * preprocessed text gcc says no column, which becomes 0.
 */
static const char *read_place(const char *line, const char *end, struct verbatim_place *place)
{
	for (const char *at = memchr(line, ':', (size_t)(end - line)); at != NULL;
	     at = memchr(at + 1, ':', (size_t)(end - at - 1))) {
		char *after;
		long number = strtol(at + 1, &after, 10);
		if (after == at + 1 || *after != ':' || number <= 0)
			continue;
		*place = (struct verbatim_place){line, (size_t)(at - line), (int)number, 0};
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

/* What part of the compiler a warning at that place comes from. */
static enum warning_origin find_origin(const struct judgement *judgement, const char *text,
    const char *end, const struct verbatim_place *place)
{
	size_t length;
	const char *name = find_name(text, end, &length);
	const char *input = judgement->job->input->value;

	if (name == NULL)
		return WARNING_BY_OPTIMISER;
	/* Comments were kept for what the input itself says. */
	if (length == 21 && memcmp(name, "implicit-fallthrough=", length) == 0 &&
	    (place->file_length != strlen(input) ||
		memcmp(place->file, input, place->file_length) != 0))
		return WARNING_BY_OPTIMISER;
	/* A function's own variables, unlike the file's. */
	if (begins_with(text, end, "warning: unused variable "))
		return WARNING_BY_PARSER;
	return warning_origin(judgement->job->wrapper->compiler.kind, name, length);
}

/* A line that begins with a place: a warning, or something that belongs to one. */
static void judge_message(struct judgement *judgement, const char *text, const char *end,
    const struct verbatim_place *place)
{
	judgement->file = place->file;
	judgement->file_length = place->file_length;
	verbatim_add(&judgement->verbatim, place);
	judgement->exact &= place->column > 0;
	if (begins_with(text, end, "note: ") || begins_with(text, end, "  required "))
		return;
	enum warning_origin origin = find_origin(judgement, text, end, place);
	judgement->exact &= origin != WARNING_BY_OPTIMISER;
	judgement->parser &= origin == WARNING_BY_PARSER;
}

/* "   12 | the quoted line" and the marks below it. */
static void judge_quote(struct judgement *judgement, const char *line, const char *end)
{
	char *after;
	long number = strtol(line, &after, 10);
	struct verbatim_place place = {judgement->file, judgement->file_length, (int)number, 1};

	if (after > line && after + 1 < end && after[0] == ' ' && after[1] == '|' &&
	    judgement->file != NULL)
		verbatim_add(&judgement->verbatim, &place);
	else if (memchr(line, '|', (size_t)(end - line)) == NULL)
		judgement->exact = false;
}

static void judge_line(struct judgement *judgement, const char *line, const char *end)
{
	struct verbatim_place place;
	const char *text = read_place(line, end, &place);

	if (line == end || begins_with(line, end, "In file included from ") ||
	    begins_with(line, end, "                 from "))
		return;
	/* From line 10,000 on, a quote begins with the number. */
	const char *digits = line + strspn(line, "0123456789");
	if (line[0] == ' ' || (digits > line && begins_with(digits, end, " |")))
		judge_quote(judgement, line, end);
	else if (text != NULL)
		judge_message(judgement, text, end, &place);
	else if (end[-1] != ':' && judgement->job->wrapper->compiler.kind != COMPILER_CLANG)
		/* Neither "FILE: In function ..." nor anything else that is known. */
		judgement->exact = judgement->parser = false;
}

static void judge_text(struct judgement *judgement, const struct text_file *said)
{
	const char *end = said->bytes + said->length;

	for (const char *line = said->bytes; line < end;) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		const char *stop = newline != NULL ? newline : end;
		judge_line(judgement, line, stop);
		line = stop + 1;
	}
}

/* Do the user's flags ask for a warning of this group? Warnings of -Wall's are on with it. */
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

/* The warnings that gcc gives for the user's file alone, and never for preprocessed text. */
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

/* "fall", in any case, somewhere in the text. */
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

enum messages_source messages_judge(const struct job *job)
{
	struct judgement judgement = {.job = job, .exact = true, .parser = true};
	struct text_file said[2] = {{0}, {0}};
	bool hidden = may_mislead(job);

	for (size_t i = 0; i < 2; i++)
		if (text_file_read_descriptor(job->messages[i], &said[i]) != 0)
			judgement.exact = judgement.parser = false;
	bool silent = said[0].length == 0 && said[1].length == 0 && judgement.exact;
	/* What the preprocessor says it says of the user's own file, but it may belong in between.
	 */
	if (said[0].length > 0 && said[1].length > 0)
		judgement.exact = false;
	judge_text(&judgement, &said[1]);
	/* The terminal would have got colours; and where warnings are errors, one of them counts.
	 */
	if (hidden || isatty(STDERR_FILENO) ||
	    (job->wrapper->command.roles & ARGUMENT_WARNING_ERROR) != 0 ||
	    job->wrapper->compiler.kind != COMPILER_GCC)
		judgement.exact = false;
	if (said[0].length > 0 && !judgement.exact)
		judge_text(&judgement, &said[0]);
	judgement.exact = judgement.exact && verbatim_holds(&judgement.verbatim, &job->text);
	verbatim_finish(&judgement.verbatim);
	text_file_finish(&said[0]);
	text_file_finish(&said[1]);
	if (silent && !hidden)
		return MESSAGES_NONE;
	if (judgement.exact)
		return MESSAGES_AS_SAID;
	return judgement.parser ? MESSAGES_OF_PARSER : MESSAGES_OF_COMPILER;
}

static void show(int messages)
{
	struct text_file said;

	if (text_file_read_descriptor(messages, &said) == 0)
		fwrite(said.bytes, 1, said.length, stderr);
	text_file_finish(&said);
}

/*
 * Has the compiler look at the original, into nothing: the disk of the temporary files may have no
 * room. Only files that are named after the object have to have a place of their own.
 */
static int ask_again(struct job *job, bool parser_only)
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
	/* Where all is linked in the end, a -lm here would be clang's to complain of. */
	unsigned later = command->mode == COMMAND_LINK ? ARGUMENT_LINK | ARGUMENT_LIBRARY : 0;
	command_add(command, MESSAGES_STEP & ~later, &words);
	job_add_header(&words);
	/* Our own pragmas, which we took out of the edited text, are nothing to warn of. */
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
	case MESSAGES_AS_SAID:
		show(job->messages[0]);
		show(job->messages[1]);
		break;
	case MESSAGES_OF_PARSER:
		return ask_again(job, true);
	case MESSAGES_OF_COMPILER:
		return ask_again(job, false);
	}
	return 0;
}
