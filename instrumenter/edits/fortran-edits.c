/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds a directive by its line and its words, which may stand on continuation lines, and edits
 * only what has to change: the sentinel's form, blanks, comments and line ends stay.
 */
#include "fortran-edits.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SENTINEL = 5, FREE_COLUMNS = 132, FIXED_COLUMNS = 72, COLUMN_OF_CONTINUATION = 5 };

bool fortran_edit_is_for(const char *name, bool *fixed)
{
	static const char *const forms[] = {
	    ".f", ".for", ".ftn", ".f77", ".fpp", ".f90", ".f95", ".f03", ".f08", ".f18"};
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; i < sizeof forms / sizeof *forms && dot != NULL; i++)
		if (strcasecmp(dot, forms[i]) == 0) {
			*fixed = i < 5;
			return true;
		}
	return false;
}

static size_t line_end(const struct text_file *file, size_t at)
{
	const char *end = memchr(file->bytes + at, '\n', file->length - at);

	return end != NULL ? (size_t)(end - file->bytes) : file->length;
}

/* The offset of a line, counted from 1; the length if there are fewer. */
static size_t line_begin(const struct text_file *file, int line)
{
	size_t at = 0;

	for (; line > 1 && at < file->length; line--)
		at = line_end(file, at) + 1;
	return at < file->length ? at : file->length;
}

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\r';
}

/* The sentinel of the line at `at`, or NULL. */
static const char *sentinel_of(const struct text_file *file, bool fixed, size_t at)
{
	const char *line = file->bytes + at, *end = file->bytes + line_end(file, at);

	while (!fixed && line < end && is_blank(*line))
		line++;
	if (end - line < SENTINEL || line[1] != '$' || strncasecmp(line + 2, "omp", 3) != 0 ||
	    strchr(fixed ? "!cC*" : "!", line[0]) == NULL)
		return NULL;
	return line;
}

/* One line of a directive: where its words are. */
struct directive_line {
	const char *sentinel;
	size_t begin, end; /* of the words, without '&' and comment */
	bool goes_on, continues;
};

static bool read_line(
    const struct text_file *file, bool fixed, size_t at, struct directive_line *line)
{
	const size_t end = line_end(file, at);

	line->sentinel = sentinel_of(file, fixed, at);
	if (line->sentinel == NULL)
		return false;
	line->begin = (size_t)(line->sentinel - file->bytes) + SENTINEL;
	line->continues = fixed && line->begin < end && !is_blank(file->bytes[line->begin]) &&
			  file->bytes[line->begin] != '0';
	line->begin += line->continues;
	while (line->begin < end && is_blank(file->bytes[line->begin]))
		line->begin++;
	if (!fixed && line->begin < end && file->bytes[line->begin] == '&')
		line->begin++;
	line->end = line->begin;
	while (line->end < end && file->bytes[line->end] != '!')
		line->end++;
	while (line->end > line->begin && is_blank(file->bytes[line->end - 1]))
		line->end--;
	line->goes_on = !fixed && line->end > line->begin && file->bytes[line->end - 1] == '&';
	if (line->goes_on)
		line->end--;
	while (line->end > line->begin && is_blank(file->bytes[line->end - 1]))
		line->end--;
	return true;
}

static bool is_letter(char letter, char lower)
{
	return tolower((unsigned char)letter) == lower;
}

/* Behind the words at `at`, which may be joined or apart ("end do", "enddo"); 0 if others are. */
static size_t behind_words(
    const struct text_file *file, const struct directive_line *line, const char *words)
{
	size_t at = line->begin;

	for (; *words != '\0'; words++) {
		while (at < line->end && is_blank(file->bytes[at]) && *words == ' ')
			at++;
		if (*words == ' ')
			continue;
		if (at == line->end || !is_letter(file->bytes[at], *words))
			return 0;
		at++;
	}
	return at < line->end && (isalnum((unsigned char)file->bytes[at]) || file->bytes[at] == '_')
		   ? 0
		   : at;
}

static const char *newline_of(const struct text_file *file)
{
	const char *end = memchr(file->bytes, '\n', file->length);

	return end != NULL && end > file->bytes && end[-1] == '\r' ? "\r\n" : "\n";
}

/* Adds a clause behind the last word of the directive that begins with the line. */
static bool add_clause(const struct text_file *file, bool fixed, struct directive_line line,
    const char *clause, struct patch_edit *edit)
{
	size_t at = line.end, first;

	for (size_t next = line_end(file, line.begin) + 1; next < file->length;
	     next = line_end(file, next) + 1) {
		struct directive_line more;

		if (!read_line(file, fixed, next, &more) || !(line.goes_on || more.continues))
			break;
		line = more;
		at = more.end;
	}
	if (line.goes_on)
		return false;
	first = at;
	while (first > 0 && file->bytes[first - 1] != '\n')
		first--;
	edit->begin = edit->end = at;
	if (at - first + 1 + strlen(clause) <= (size_t)(fixed ? FIXED_COLUMNS : FREE_COLUMNS))
		return asprintf(&edit->text, " %s", clause) >= 0;
	/* A comment at the line's end would come to stand behind the new line. */
	if (at != line_end(file, at) && file->bytes[at] != '\r')
		return false;
	if (fixed)
		return asprintf(&edit->text, "%s%.*s& %s", newline_of(file), SENTINEL,
			   line.sentinel, clause) >= 0;
	return asprintf(&edit->text, " &%s%.*s %s", newline_of(file),
		   (int)(line.sentinel + SENTINEL - file->bytes - (long)first), file->bytes + first,
		   clause) >= 0;
}

/* Removes the word with the blanks or the comma in front of it; on the directive's first line. */
static bool remove_word(const struct text_file *file, const struct directive_line *line,
    size_t from, const char *word, struct patch_edit *edit)
{
	const size_t length = strlen(word);

	for (size_t at = from; at + length <= line->end; at++) {
		size_t begin = at;

		if (strncasecmp(file->bytes + at, word, length) != 0 ||
		    (!is_blank(file->bytes[at - 1]) && file->bytes[at - 1] != ','))
			continue;
		while (begin > from && is_blank(file->bytes[begin - 1]))
			begin--;
		if (begin > from && file->bytes[begin - 1] == ',')
			begin--;
		edit->begin = begin;
		edit->end = at + length;
		edit->text = strdup("");
		return edit->text != NULL;
	}
	return false;
}

/* Is the item [begin, end) one of the names in the list "x, y, )"? */
static bool is_listed(const char *begin, const char *end, const char *list)
{
	while (begin < end && is_blank(*begin))
		begin++;
	while (end > begin && is_blank(end[-1]))
		end--;
	for (const char *at = list; *at != '\0';
	     at += strcspn(at, ", )"), at += strspn(at, ", )")) {
		const size_t length = strcspn(at, ", )");
		if (length > 0 && length == (size_t)(end - begin) &&
		    strncasecmp(at, begin, length) == 0)
			return true;
	}
	return false;
}

/* Removes the names of "shared(x, y)" from the clause, which is on the directive's first line. */
static bool remove_items(const struct text_file *file, const struct directive_line *line,
    size_t from, const char *clause, struct patch_edit *edit)
{
	const size_t name = strcspn(clause, "(");
	const char *bytes = file->bytes, *at = bytes + from, *end = bytes + line->end, *close;
	size_t kept = 0, removed = 0, length;
	FILE *out;

	while (at + name < end && (strncasecmp(at, clause, name) != 0 || !is_blank(at[-1])))
		at++;
	const char *open = at + name;
	while (open < end && is_blank(*open))
		open++;
	close = open < end && *open == '(' ? memchr(open, ')', (size_t)(end - open)) : NULL;
	if (close == NULL || (out = open_memstream(&edit->text, &length)) == NULL)
		return false;
	for (const char *item = open + 1, *next; item <= close; item = next + 1) {
		next = memchr(item, ',', (size_t)(close - item));
		next = next != NULL ? next : close;
		if (is_listed(item, next, clause + name + 1))
			removed++;
		else
			fprintf(out, "%s%.*s", kept++ > 0 ? "," : "", (int)(next - item), item);
	}
	edit->begin = (size_t)(open + 1 - bytes);
	edit->end = (size_t)(close - bytes);
	if (kept == 0) {
		edit->begin = (size_t)(at - bytes);
		edit->end = (size_t)(close + 1 - bytes);
		while (edit->begin > from && is_blank(bytes[edit->begin - 1]))
			edit->begin--;
	}
	return fclose(out) == 0 && removed > 0;
}

static bool remove_clause(const struct text_file *file, const struct directive_line *line,
    size_t from, const char *clause, struct patch_edit *edit)
{
	return strchr(clause, '(') == NULL ? remove_word(file, line, from, clause, edit)
					   : remove_items(file, line, from, clause, edit);
}

/* "critical (a)" becomes "critical (b)". */
static bool rename_critical(const struct text_file *file, const struct directive_line *line,
    size_t from, const char *name, struct patch_edit *edit)
{
	const char *open = memchr(file->bytes + from, '(', line->end - from);
	const char *close =
	    open != NULL ? memchr(open, ')', line->end - (size_t)(open - file->bytes)) : NULL;

	if (close == NULL || *name == '\0')
		return false;
	edit->begin = (size_t)(open - file->bytes) + 1;
	edit->end = (size_t)(close - file->bytes);
	edit->text = strdup(name);
	return edit->text != NULL;
}

/* A directive on a line of its own, in the column of the fix's place or, in fixed form, in the
 * first. */
static bool insert_line(
    const struct text_file *file, bool fixed, const struct lint_fix *fix, struct patch_edit *edit)
{
	const char *sentinel = fixed ? "c$omp" : "!$omp";

	/* The sentinel of the file's first directive. */
	for (size_t at = 0; at < file->length; at = line_end(file, at) + 1) {
		const char *found = sentinel_of(file, fixed, at);
		if (found != NULL) {
			sentinel = found;
			break;
		}
	}
	edit->begin = edit->end = line_begin(file, fix->place.line);
	return asprintf(&edit->text, "%*s%.*s %s%s", fixed ? 0 : fix->place.column - 1, "",
		   SENTINEL, sentinel, fix->text, newline_of(file)) >= 0;
}

bool fortran_edit_make(
    const struct text_file *file, bool fixed, const struct lint_fix *fix, struct patch_edit *edit)
{
	struct directive_line line;
	size_t behind;

	if (!fix->directive)
		return insert_line(file, fixed, fix, edit);
	if (!read_line(file, fixed, line_begin(file, fix->place.line), &line) || line.continues)
		return false;
	behind = behind_words(file, &line, fix->at);
	if (behind == 0)
		return false;
	switch (fix->change) {
	case LINT_CHANGE_ADD:
		return add_clause(file, fixed, line, fix->text, edit);
	case LINT_CHANGE_REMOVE:
		return remove_clause(file, &line, behind, fix->text, edit);
	case LINT_CHANGE_NAME:
		return rename_critical(file, &line, behind, fix->text, edit);
	default:
		return false;
	}
}
