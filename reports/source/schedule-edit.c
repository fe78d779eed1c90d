/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the words of one directive as they are written, over continuation lines and comments, and
 * changes or adds its schedule clause. A word that it does not know may be a macro with clauses;
 * then nothing is changed.
 */
#include "schedule-edit.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "memory.h"

/* The directive that is read. */
struct directive {
	const char *bytes;
	size_t at, length;
	size_t end; /* of the last word */
};

/* A word, a character that is none, or nothing (begin == end) at the directive's end. */
struct word {
	size_t begin, end;
};

/* Behind a backslash at the line's end: the next line's begin; else 0. */
static size_t next_line(const struct directive *directive)
{
	size_t at = directive->at + 1;

	if (directive->bytes[directive->at] != '\\')
		return 0;
	at += at < directive->length && directive->bytes[at] == '\r';
	return at < directive->length && directive->bytes[at] == '\n' ? at + 1 : 0;
}

static bool begins(const struct directive *directive, const char *text)
{
	size_t length = strlen(text);

	return directive->length - directive->at >= length &&
	       strncmp(directive->bytes + directive->at, text, length) == 0;
}

static void skip_blanks(struct directive *directive)
{
	while (directive->at < directive->length) {
		size_t next = next_line(directive);

		if (next > 0) {
			directive->at = next;
		} else if (begins(directive, "/*")) {
			while (directive->at < directive->length && !begins(directive, "*/"))
				directive->at++;
			directive->at += directive->at < directive->length ? 2 : 0;
		} else if (strchr(" \t\r", directive->bytes[directive->at]) &&
			   directive->bytes[directive->at] != '\0') {
			directive->at++;
		} else {
			return;
		}
	}
}

static bool is_name(char byte)
{
	return isalnum((unsigned char)byte) || byte == '_';
}

static struct word next_word(struct directive *directive)
{
	struct word word;

	skip_blanks(directive);
	word.begin = directive->at;
	if (directive->at < directive->length && directive->bytes[directive->at] != '\n' &&
	    !begins(directive, "//")) {
		do
			directive->at++;
		while (is_name(directive->bytes[word.begin]) && directive->at < directive->length &&
		       is_name(directive->bytes[directive->at]));
		directive->end = directive->at;
	}
	word.end = directive->at;
	return word;
}

static bool is(const struct directive *directive, struct word word, const char *text)
{
	return word.end - word.begin == strlen(text) &&
	       strncmp(directive->bytes + word.begin, text, word.end - word.begin) == 0;
}

/* Clauses that leave the schedule open, or have one. */
static bool is_known(const struct directive *directive, struct word word)
{
	static const char *const words[] = {"parallel", "for", "collapse", "copyin", "default",
	    "firstprivate", "if", "lastprivate", "nowait", "num_threads", "private", "proc_bind",
	    "reduction", "schedule", "shared"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (is(directive, word, words[i]))
			return true;
	return false;
}

/* Finds `#pragma omp` at the line; false if the line is another one. */
static bool find_directive(struct directive *directive, int line)
{
	for (; line > 1; line--) {
		const char *end = memchr(
		    directive->bytes + directive->at, '\n', directive->length - directive->at);
		if (!end)
			return false;
		directive->at = (size_t)(end - directive->bytes) + 1;
	}
	return is(directive, next_word(directive), "#") &&
	       is(directive, next_word(directive), "pragma") &&
	       is(directive, next_word(directive), "omp");
}

const char *schedule_edit_make(
    const char *bytes, size_t length, int line, const char *schedule, struct patch_edit *edit)
{
	struct directive directive = {.bytes = bytes, .length = length};
	struct word word, value = {0, 0};
	bool is_loop = false, is_schedule = false, reads_value = false;
	int depth = 0;

	*edit = (struct patch_edit){0};
	if (!find_directive(&directive, line))
		return "no '#pragma omp' is at this line: it comes from a macro, or the file has "
		       "changed";
	for (word = next_word(&directive); word.end > word.begin; word = next_word(&directive)) {
		const char byte = bytes[word.begin];

		if (depth == 0 && is_name(byte)) {
			if (!is_known(&directive, word))
				return "a word of its directive may be a macro, or a clause that "
				       "needs the iterations' order";
			is_loop |= is(&directive, word, "for");
			is_schedule = is(&directive, word, "schedule");
			if (is_schedule && value.end > 0)
				return "its directive has two schedules";
		}
		depth -= byte == ')';
		if (byte == ')' && depth == 0 && reads_value) {
			value.end = word.begin;
			reads_value = false;
		}
		if (byte == '(' && depth == 0 && is_schedule) {
			value.begin = word.end;
			reads_value = true;
			is_schedule = false;
		}
		depth += byte == '(';
	}
	if (!is_loop || depth != 0)
		return "another directive is at this line";
	edit->begin = value.end > 0 ? value.begin : directive.end;
	edit->end = value.end > 0 ? value.end : directive.end;
	edit->text = memory_print(value.end > 0 ? "%s" : " schedule(%s)", schedule);
	return NULL;
}
