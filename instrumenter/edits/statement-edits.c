/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Edits of statements in the user's own text. What the preprocessed text says is compared with the
 * file word by word, so that what comes from a macro is left as it is; comments stay.
 */
#include "statement-edits.h"

#include <stdlib.h>
#include <string.h>

size_t source_line_begin(const struct text_file *file, size_t at)
{
	while (at > 0 && file->bytes[at - 1] != '\n')
		at--;
	return at;
}

size_t source_find_line(const struct text_file *file, int line)
{
	size_t at = 0;

	for (; line > 1 && at < file->length; line--) {
		const char *end = memchr(file->bytes + at, '\n', file->length - at);
		at = end != NULL ? (size_t)(end - file->bytes) + 1 : file->length;
	}
	return at;
}

struct token source_token_from(const struct text_file *file, size_t offset, struct lexer *lexer)
{
	struct token token;

	lexer_init(lexer, file->bytes, file->length, 0);
	do
		token = lexer_next(lexer);
	while (token.kind != TOKEN_END && token.begin < offset);
	return token;
}

static bool same_token(
    const char *one, const struct token *token, const char *other, const struct token *also)
{
	const size_t length = token->end - token->begin;

	return token->kind == also->kind && length == also->end - also->begin &&
	       memcmp(one + token->begin, other + also->begin, length) == 0;
}

bool source_take_words(struct lexer *lexer, const char *words, size_t *end)
{
	struct lexer wanted;
	struct token token, word;

	lexer_init(&wanted, words, strlen(words), 0);
	while ((word = lexer_next(&wanted)).kind != TOKEN_END) {
		token = lexer_next(lexer);
		if (!same_token(lexer->text, &token, words, &word))
			return false;
		*end = token.end;
	}
	return true;
}

/* Does the file begin its pragmas at the left, as the one before the offset shows? */
static bool pragmas_are_left(const struct text_file *file, size_t at)
{
	while (at > 0) {
		size_t blanks = 0;

		at = source_line_begin(file, at - 1);
		while (file->bytes[at + blanks] == ' ' || file->bytes[at + blanks] == '\t')
			blanks++;
		if (strncmp(file->bytes + at + blanks, "#pragma", strlen("#pragma")) == 0)
			return blanks == 0;
	}
	return true;
}

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

/* The blanks with which the line of the offset begins. */
static struct token indentation(const struct text_file *file, size_t at)
{
	struct token blanks = {.begin = source_line_begin(file, at)};

	blanks.end = blanks.begin;
	while (is_blank(file->bytes[blanks.end]))
		blanks.end++;
	return blanks;
}

/* By how much the file indents: the first indented line that is not inside of a comment. */
static struct token indentation_step(const struct text_file *file)
{
	for (size_t at = 0; at < file->length;) {
		const struct token blanks = indentation(file, at);
		const char *end = memchr(file->bytes + at, '\n', file->length - at);

		if (blanks.end > blanks.begin && strchr("*\r\n", file->bytes[blanks.end]) == NULL)
			return file->bytes[blanks.begin] == '\t'
				   ? (struct token){.begin = blanks.begin, .end = blanks.begin + 1}
				   : blanks;
		at = end != NULL ? (size_t)(end - file->bytes) + 1 : file->length;
	}
	return (struct token){.begin = 0};
}

static const char *newline_at(const struct text_file *file, size_t at)
{
	const char *end = memchr(file->bytes + at, '\n', file->length - at);

	return end != NULL && end > file->bytes && end[-1] == '\r' ? "\r\n" : "\n";
}

static void put(FILE *out, const struct text_file *file, size_t begin, size_t end)
{
	fwrite(file->bytes + begin, 1, end - begin, out);
}

/* One place where lines are added. */
struct added_lines {
	FILE *out;
	const struct text_file *file;
	struct token indent;
	const char *newline;
	bool left; /* `#` lines begin at the left */
};

/* Writes each of the lines with its indentation, deeper by a step. */
static void put_lines(const struct added_lines *added, const char *lines, struct token step)
{
	while (*lines != '\0') {
		const size_t length = strcspn(lines, "\n");

		if (lines[0] != '#' || !added->left) {
			put(added->out, added->file, added->indent.begin, added->indent.end);
			put(added->out, added->file, step.begin, step.end);
		}
		fprintf(added->out, "%.*s%s", (int)length, lines, added->newline);
		lines += length + (lines[length] == '\n');
	}
}

bool statement_edit_before(
    const struct text_file *file, size_t at, bool left, const char *lines, struct patch_edit *edit)
{
	const size_t line = source_line_begin(file, at);
	struct added_lines added = {NULL, file, indentation(file, at), newline_at(file, at), left};
	size_t begin = at, length;

	while (begin > line && is_blank(file->bytes[begin - 1]))
		begin--;
	edit->begin = begin;
	edit->end = begin == line ? begin : at;
	added.out = open_memstream(&edit->text, &length);
	if (added.out == NULL)
		return false;
	if (begin != line)
		fputs(added.newline, added.out);
	put_lines(&added, lines, (struct token){.begin = 0});
	if (begin != line)
		put(added.out, file, added.indent.begin, added.indent.end);
	return fclose(added.out) == 0;
}

bool statement_is_always(const struct text_file *file, size_t at, int since)
{
	const size_t begin = source_find_line(file, since);
	struct lexer lexer;
	struct token token = source_token_from(file, begin, &lexer);
	size_t depth = 0;

	for (; token.kind != TOKEN_END && token.begin < at; token = lexer_next(&lexer)) {
		const char *word = file->bytes + token.begin + 1;

		if (token.kind != TOKEN_DIRECTIVE)
			continue;
		word += strspn(word, " \t");
		if (strncmp(word, "if", strlen("if")) == 0)
			depth++;
		else if (strncmp(word, "endif", strlen("endif")) == 0 && depth > 0)
			depth--;
		else if (depth == 0 && (word[0] == 'e' && word[1] != 'r'))
			return false; /* #else, or the #endif of one that begins before */
	}
	return depth == 0;
}

/* The words that a change names, in the user's file. */
struct found_words {
	struct token before; /* the token in front of them */
	size_t begin, end;
};

/* Finds the words in their line; they must be there once. */
static bool find_words(
    const struct text_file *file, const struct lint_fix *fix, struct found_words *found)
{
	const size_t line = source_find_line(file, fix->place.line),
		     next = source_find_line(file, fix->place.line + 1);
	struct lexer lexer;
	struct token token, before = {.kind = TOKEN_END};
	size_t count = 0;

	lexer_init(&lexer, file->bytes, file->length, 0);
	for (token = lexer_next(&lexer); token.kind != TOKEN_END && token.begin < next;
	     before = token, token = lexer_next(&lexer)) {
		struct lexer ahead = lexer;
		size_t end;

		ahead.at = token.begin;
		if (token.begin < line || token.kind == TOKEN_DIRECTIVE ||
		    !source_take_words(&ahead, fix->at, &end))
			continue;
		*found = (struct found_words){before, token.begin, end};
		count++;
	}
	return count == 1;
}

/* Does a comment, or nothing, follow in the line? Then *end is the line's end. */
static bool ends_line(const struct text_file *file, size_t at, size_t *end)
{
	struct lexer lexer;
	const size_t next = source_token_from(file, at, &lexer).begin;
	const char *newline = memchr(file->bytes + at, '\n', file->length - at);

	*end = newline != NULL ? (size_t)(newline - file->bytes) : file->length;
	if (next < *end)
		return false;
	if (*end > at && file->bytes[*end - 1] == '\r')
		(*end)--;
	return memchr(file->bytes + at, '/', *end - at) == NULL ||
	       source_token_from(file, *end, &lexer).begin >= *end;
}

/* The end of the statement that begins there: its semicolon, outside of all brackets. */
static bool find_semicolon(const struct text_file *file, size_t begin, size_t *end)
{
	struct lexer lexer;
	struct token token = source_token_from(file, begin, &lexer);
	size_t depth = 0;

	for (; token.kind != TOKEN_END && token.kind != TOKEN_DIRECTIVE;
	     token = lexer_next(&lexer)) {
		depth +=
		    token.punctuator == '(' || token.punctuator == '[' || token.punctuator == '{';
		if (token.punctuator == ')' || token.punctuator == ']' || token.punctuator == '}')
			if (depth-- == 0)
				return false;
		if (depth == 0 && token.punctuator == ';') {
			*end = token.end;
			return true;
		}
	}
	return false;
}

/* `if (c) return;` becomes `if (c) { text return; }`, on as many lines as it has and those added.
 */
static bool edit_branch(const struct text_file *file, const struct found_words *found,
    const char *text, struct patch_edit *edit)
{
	const struct token outer = indentation(file, found->before.begin);
	struct added_lines added = {
	    NULL, file, indentation(file, found->begin), newline_at(file, found->begin), true};
	const size_t gap = found->before.end, body = added.indent.begin;
	size_t end, line_end, length;

	if (found->before.kind != TOKEN_PUNCTUATOR && found->before.kind != TOKEN_IDENTIFIER)
		return false;
	if (!find_semicolon(file, found->begin, &end))
		return false;
	edit->begin = gap;
	added.out = open_memstream(&edit->text, &length);
	if (added.out == NULL)
		return false;
	if (body <= gap) { /* all on one line */
		fprintf(added.out, " { %s ", text);
		put(added.out, file, found->begin, end);
		fputs(" }", added.out);
		edit->end = end;
		return fclose(added.out) == 0;
	}
	fputs(" {", added.out);
	put(added.out, file, gap, body);
	put_lines(&added, text, (struct token){.begin = 0});
	edit->end = ends_line(file, end, &line_end) ? line_end : end;
	put(added.out, file, body, edit->end);
	fputs(added.newline, added.out);
	put(added.out, file, outer.begin, outer.end);
	fputs("}", added.out);
	return fclose(added.out) == 0;
}

/* The end without the blanks and newlines in front of it. */
static size_t trimmed(const struct text_file *file, size_t begin, size_t end)
{
	while (end > begin && strchr(" \t\r\n", file->bytes[end - 1]) != NULL)
		end--;
	return end;
}

/* The empty body of a loop, `;` or `{}`, becomes a block with these lines. */
static bool edit_body(const struct text_file *file, const struct found_words *found,
    const char *lines, struct patch_edit *edit)
{
	struct added_lines added = {NULL, file, indentation(file, found->begin),
	    newline_at(file, found->begin), pragmas_are_left(file, found->begin)};
	struct lexer lexer;
	struct token token = source_token_from(file, found->begin, &lexer), head = token,
		     body = token;
	size_t length;

	for (; token.end <= found->end && token.kind != TOKEN_END; token = lexer_next(&lexer)) {
		if (token.punctuator == ')')
			head = token;
		if (token.punctuator == ';' || token.punctuator == '{')
			body = token;
	}
	edit->begin = head.end;
	edit->end = found->end;
	added.out = open_memstream(&edit->text, &length);
	if (added.out == NULL)
		return false;
	fputs(" {", added.out);
	put(added.out, file, head.end, trimmed(file, head.end, body.begin));
	if (body.punctuator == '{')
		put(added.out, file, body.end, trimmed(file, body.end, found->end - 1));
	fputs(added.newline, added.out);
	put_lines(&added, lines, indentation_step(file));
	put(added.out, file, added.indent.begin, added.indent.end);
	fputs("}", added.out);
	return fclose(added.out) == 0;
}

/* A line behind the one in which the words end. */
static bool edit_after(const struct text_file *file, const struct found_words *found,
    const char *line, struct patch_edit *edit)
{
	const struct token indent = indentation(file, found->begin);
	const bool left = line[0] == '#' && pragmas_are_left(file, found->begin);

	if (!ends_line(file, found->end, &edit->begin))
		return false;
	edit->end = edit->begin;
	return asprintf(&edit->text, "%s%.*s%s", newline_at(file, found->begin),
		   left ? 0 : (int)(indent.end - indent.begin), file->bytes + indent.begin,
		   line) >= 0;
}

/* Behind the `]` of the subscript that follows the offset; 0 if none does. */
static size_t behind_subscript(const struct text_file *file, size_t offset)
{
	struct lexer lexer;
	struct token token = source_token_from(file, offset, &lexer);
	size_t depth = 0;

	for (; token.kind != TOKEN_END; token = lexer_next(&lexer)) {
		depth += token.punctuator == '[';
		if (depth == 0)
			return 0;
		depth -= token.punctuator == ']';
		if (depth == 0)
			return token.end;
	}
	return 0;
}

/* Adds the text to each element of the array in the line, of which there must be as many. */
static bool edit_elements(
    const struct text_file *file, const struct lint_fix *fix, struct patch_edit *edit)
{
	enum { MOST = 16 };
	const size_t line = source_find_line(file, fix->place.line),
		     next = source_find_line(file, fix->place.line + 1);
	struct lexer lexer;
	struct token token = source_token_from(file, line, &lexer);
	size_t places[MOST], count = 0, length;
	FILE *out;

	for (; token.kind != TOKEN_END && token.begin < next; token = lexer_next(&lexer)) {
		size_t at = count, behind;

		if (!token_is(&lexer, &token, fix->at))
			continue;
		behind = behind_subscript(file, token.end);
		if (behind == 0 || count++ == MOST)
			return false;
		for (; at > 0 && places[at - 1] > behind; at--) /* a[a[i]] */
			places[at] = places[at - 1];
		places[at] = behind;
	}
	out = count > 0 && count == (size_t)fix->place.column ? open_memstream(&edit->text, &length)
							      : NULL;
	if (out == NULL)
		return false;
	edit->begin = places[0];
	edit->end = places[count - 1];
	for (size_t i = 0; i < count; i++) {
		put(out, file, i > 0 ? places[i - 1] : places[0], places[i]);
		fputs(fix->text, out);
	}
	return fclose(out) == 0;
}

/* How often the word is in the text, also in directives, whatever conditions the text depends on.
 */
static int count_words(const char *text, size_t begin, size_t end, const char *word)
{
	struct lexer lexer;
	struct token token;
	int count = 0;

	lexer_init(&lexer, text, end, begin);
	lexer.line_start = text[begin] != '#';
	while ((token = lexer_next(&lexer)).kind != TOKEN_END) {
		if (token.kind == TOKEN_DIRECTIVE)
			count += count_words(text, token.begin, token.end, word);
		count += token_is(&lexer, &token, word);
	}
	return count;
}

bool statement_edit_make(
    const struct text_file *file, const struct lint_fix *fix, struct patch_edit *edit)
{
	struct found_words found = {.begin = 0};

	if (fix->change == LINT_CHANGE_ELEMENT)
		return edit_elements(file, fix, edit);
	if (fix->change == LINT_CHANGE_COUNT)
		return count_words(file->bytes, source_find_line(file, fix->place.line),
			   source_find_line(file, atoi(fix->text) + 1),
			   fix->at) == fix->place.column;
	if (!find_words(file, fix, &found))
		return false;
	switch (fix->change) {
	case LINT_CHANGE_NOTHING:
		return statement_is_always(file, found.begin, atoi(fix->text));
	case LINT_CHANGE_WORDS:
		edit->begin = found.begin;
		edit->end = found.end;
		edit->text = strdup(fix->text);
		return edit->text != NULL;
	case LINT_CHANGE_LINE:
		return statement_edit_before(
		    file, found.begin, pragmas_are_left(file, found.begin), fix->text, edit);
	case LINT_CHANGE_BRANCH:
		return edit_branch(file, &found, fix->text, edit);
	case LINT_CHANGE_BODY:
		return edit_body(file, &found, fix->text, edit);
	case LINT_CHANGE_AFTER:
		return edit_after(file, &found, fix->text, edit);
	default:
		return false;
	}
}
