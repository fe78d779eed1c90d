/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A reader for directives only. It knows how they begin and continue in C, C++ and both forms of
 * Fortran, and ignores the text between them. A directive in a comment is also found, but is hardly
 * ever at a place with code.
 */
#include "source.h"

#include "shared/array.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* Generated sources can be large; directives in even larger files are not worth the time. */
enum { BYTES_MOST = 64 << 20 };

/* A line of the file, without its end. */
struct line {
	const char *start, *end;
};

static struct line next_line(const char **place, const char *end)
{
	struct line line = {*place, memchr(*place, '\n', (size_t)(end - *place))};

	if (line.end == NULL)
		line.end = end;
	*place = line.end < end ? line.end + 1 : end;
	if (line.end > line.start && line.end[-1] == '\r')
		line.end--;
	return line;
}

static const char *skip_blanks(const char *from, const char *end)
{
	while (from < end && (*from == ' ' || *from == '\t'))
		from++;
	return from;
}

static bool is_word_part(char letter)
{
	return isalnum((unsigned char)letter) || letter == '_';
}

/* Returns the position after a word, or NULL if another word is there. Case does not matter. */
static const char *behind_word(const char *from, const char *end, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(end - from) < length || strncasecmp(from, word, length) != 0 ||
	    (from + length < end && is_word_part(from[length]) && is_word_part(word[length - 1])))
		return NULL;
	return from + length;
}

/* Returns the text after "#pragma omp" in a line of C, or NULL. */
static const char *pragma_of(struct line line)
{
	const char *at = skip_blanks(line.start, line.end);

	if (at == line.end || *at != '#')
		return NULL;
	at = behind_word(skip_blanks(at + 1, line.end), line.end, "pragma");
	return at != NULL ? behind_word(skip_blanks(at, line.end), line.end, "omp") : NULL;
}

/*
 * Returns the text after an operator or attribute that begins like this anywhere in the line, or
 * NULL.
 */
static const char *behind_text(struct line line, const char *text)
{
	const char *found = memmem(line.start, (size_t)(line.end - line.start), text, strlen(text));

	return found != NULL ? found + strlen(text) : NULL;
}

/*
 * Returns the text after Fortran's sentinel, or NULL. `continues`: the mark after the sentinel
 * shows that the line continues the previous directive.
 */
static const char *sentinel_of(struct line line, bool *continues)
{
	const char *at = skip_blanks(line.start, line.end);

	if (line.end - at < 5 || strncasecmp(at + 1, "$omp", 4) != 0 ||
	    (*at != '!' && !(at == line.start && (*at == 'c' || *at == 'C' || *at == '*'))))
		return NULL;
	at += 5;
	*continues = at < line.end && *at != ' ' && *at != '\t' && *at != '0';
	return at < line.end ? at + 1 : at;
}

/* A directive while its lines are joined. */
struct draft {
	int begin, end;
	char *text;
	size_t length, room;
	bool failed;
};

static void put(struct draft *draft, char letter)
{
	if (!ARRAY_PUSH(draft->text, draft->length, draft->room, letter))
		draft->failed = true;
}

/* Adds text and reduces blanks to single ones. */
static void put_text(struct draft *draft, const char *from, const char *end)
{
	put(draft, ' ');
	for (; from < end; from++)
		if ((*from != ' ' && *from != '\t') ||
		    (draft->length > 0 && draft->text[draft->length - 1] != ' '))
			put(draft, (char)(*from == '\t' ? ' ' : *from));
}

/*
 * The words of directive names; a longer word precedes its own prefixes, because Fortran may write
 * the words as one.
 */
static const char *const name_words[] = {"parallel", "for", "do", "sections", "section", "single",
    "taskgroup", "taskloop", "taskwait", "taskyield", "task", "barrier", "critical", "ordered",
    "masked", "master", "simd", "teams", "distribute", "target", "data", "enter", "exit", "update",
    "loop", "atomic", "flush", "workshare", "scope"};

/* Words that can only come first in a name; after another word they are clauses. */
static const char *const first_words[] = {"single", "task", "taskwait", "taskyield", "taskgroup",
    "barrier", "critical", "ordered", "atomic", "flush", "scope", "section"};

static bool is_listed(const char *const *words, size_t count, const char *word, size_t length)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(words[i]) == length && strncasecmp(words[i], word, length) == 0)
			return true;
	return false;
}

/* Returns the length of the name word that begins there; 0: none. */
static size_t name_word(const char *text)
{
	for (size_t i = 0; i < sizeof(name_words) / sizeof(name_words[0]); i++)
		if (strncasecmp(text, name_words[i], strlen(name_words[i])) == 0)
			return strlen(name_words[i]);
	return 0;
}

static bool is_first_word(const char *word, size_t length)
{
	return is_listed(first_words, sizeof(first_words) / sizeof(first_words[0]), word, length);
}

/* Returns the length of the directive's name; 0: no directive with code. */
static size_t find_name(const char *text)
{
	size_t end = 0;
	bool is_alone = false;

	for (const char *at = text; !is_alone;) {
		size_t length = name_word(at);
		/*
		 * Letters after the word belong to a longer word, as in "parallelism", or to a word
		 * joined to it.
		 */
		if (length == 0 || (is_word_part(at[length]) && name_word(at + length) == 0))
			break;
		if (end > 0 && is_first_word(at, length))
			break;
		is_alone = is_first_word(at, length);
		end = (size_t)(at - text) + length;
		at += length;
		while (*at == ' ')
			at++;
	}
	return end;
}

static void add_directive(struct source *source, struct draft *draft)
{
	put(draft, '\0');
	const char *text = draft->failed ? "" : draft->text;
	while (*text == ' ')
		text++;
	struct directive directive = {
	    .begin = draft->begin,
	    .end = draft->end,
	    .name_length = find_name(text),
	};
	if (directive.name_length > 0) {
		directive.text = strdup(text);
		size_t length = directive.text != NULL ? strlen(directive.text) : 0;
		while (length > 0 && directive.text[length - 1] == ' ')
			directive.text[--length] = '\0';
		if (directive.text == NULL ||
		    !ARRAY_PUSH(source->directives, source->count, source->room, directive))
			free(directive.text);
	}
	free(draft->text);
	*draft = (struct draft){0};
}

/* The file while it is read. */
struct reading {
	const char *next, *end;
	int line;        /* number of the latest line */
	size_t waiting;  /* the first directive whose statement has not been seen yet */
	bool in_comment; /* a C comment that began on an earlier line */
};

static struct line read_line(struct reading *reading)
{
	reading->line++;
	return next_line(&reading->next, reading->end);
}

/* Reads a pragma and its continuation lines. */
static void read_pragma(
    struct source *source, struct reading *reading, struct line line, const char *from)
{
	struct draft draft = {.begin = reading->line, .end = reading->line};
	bool goes_on = true;

	while (goes_on) {
		goes_on = line.end > from && line.end[-1] == '\\';
		put_text(&draft, from, goes_on ? line.end - 1 : line.end);
		goes_on = goes_on && reading->next < reading->end;
		if (goes_on) {
			line = read_line(reading);
			from = line.start;
			draft.end = reading->line;
		}
	}
	add_directive(source, &draft);
}

/* Reads a directive within a line: up to the quote or bracket that ends it. */
static void read_within(
    struct source *source, const struct reading *reading, struct line line, const char *from)
{
	struct draft draft = {.begin = reading->line, .end = reading->line};

	put_text(&draft, from, line.end);
	add_directive(source, &draft);
}

static struct line peek_line(const struct reading *reading)
{
	const char *place = reading->next;

	return next_line(&place, reading->end);
}

/*
 * Reads a Fortran directive and its continuation lines: a line that ends with "&" is continued
 * (free form), and a line with a mark after its sentinel continues the previous one (both forms).
 */
static void read_sentinel(
    struct source *source, struct reading *reading, struct line line, const char *from)
{
	struct draft draft = {.begin = reading->line, .end = reading->line};

	for (;;) {
		const char *end = line.end, *comment = memchr(from, '!', (size_t)(end - from));
		bool continues = false;
		end = comment != NULL ? comment : end;
		while (end > from && (end[-1] == ' ' || end[-1] == '\t'))
			end--;
		bool goes_on = end > from && end[-1] == '&';
		put_text(&draft, from, goes_on ? end - 1 : end);
		if (reading->next >= reading->end)
			break;
		line = peek_line(reading);
		from = sentinel_of(line, &continues);
		if (from == NULL || !(goes_on || continues))
			break;
		/* The mark may be separate: "!$omp & shared(a)". */
		from = skip_blanks(from, line.end);
		if (!continues && from < line.end && *from == '&')
			from++;
		read_line(reading);
		draft.end = reading->line;
	}
	add_directive(source, &draft);
}

/* Returns whether the line has more than blanks, comments and preprocessor directives. */
static bool has_code(struct reading *reading, struct line line)
{
	const char *at = line.start;

	for (;;) {
		if (reading->in_comment) {
			at = memmem(at, (size_t)(line.end - at), "*/", 2);
			if (at == NULL)
				return false;
			at += 2;
			reading->in_comment = false;
		}
		at = skip_blanks(at, line.end);
		if (at == line.end || *at == '#' || *at == '!')
			return false;
		if (line.end - at < 2 || at[0] != '/' || (at[1] != '*' && at[1] != '/'))
			return true;
		if (at[1] == '/')
			return false;
		at += 2;
		reading->in_comment = true;
	}
}

/* If the line has code, it is the statement of the directives before it. */
static void take_statement(struct source *source, struct reading *reading, struct line line)
{
	if (reading->waiting == source->count || !has_code(reading, line))
		return;
	while (reading->waiting < source->count)
		source->directives[reading->waiting++].statement = reading->line;
}

static void read_directives(struct source *source, struct reading *reading)
{
	while (reading->next < reading->end) {
		struct line line = read_line(reading);
		bool continues = false;
		const char *from = pragma_of(line);
		if (from != NULL) {
			read_pragma(source, reading, line, from);
			continue;
		}
		from = sentinel_of(line, &continues);
		if (from != NULL) {
			read_sentinel(source, reading, line, from);
			continue;
		}
		take_statement(source, reading, line);
		from = behind_text(line, "_Pragma(\"omp ");
		if (from == NULL)
			from = behind_text(line, "omp::directive(");
		if (from == NULL)
			continue;
		/* Its statement may be on the same line, which belongs to the directive anyway. */
		read_within(source, reading, line, from);
		reading->waiting = source->count;
	}
}

static char *read_whole(int file, size_t size)
{
	char *text = malloc(size + 1);
	size_t done = 0;

	while (text != NULL && done < size) {
		ssize_t count = read(file, text + done, size - done);
		if (count <= 0)
			break;
		done += (size_t)count;
	}
	if (text != NULL)
		memset(text + done, 0, size + 1 - done);
	return text;
}

void names_source_read(struct source *source, const char *path)
{
	struct stat status;

	*source = (struct source){.path = strdup(path)};
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > BYTES_MOST)
		return;
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (file < 0)
		return;
	char *text = read_whole(file, (size_t)status.st_size);
	close(file);
	if (text == NULL)
		return;
	struct reading reading = {.next = text, .end = text + status.st_size};
	source->is_read = true;
	source->changed_at = status.st_mtime;
	read_directives(source, &reading);
	free(text);
}

void names_source_free(struct source *source)
{
	for (size_t i = 0; i < source->count; i++)
		free(source->directives[i].text);
	free(source->directives);
	free(source->path);
	*source = (struct source){0};
}

/* Returns whether the name contains the word; case does not matter. */
static bool has_word(const struct directive *directive, const char *word)
{
	const char *at = directive->text, *end = at + directive->name_length;

	while (at < end) {
		size_t length = name_word(at);
		if (length == 0)
			return false;
		if (strlen(word) == length && strncasecmp(at, word, length) == 0)
			return true;
		at += length;
		while (at < end && *at == ' ')
			at++;
	}
	return false;
}

bool names_directive_has(const struct directive *directive, const char *construct)
{
	if (strcmp(construct, "for") == 0)
		return has_word(directive, "for") || has_word(directive, "do");
	/* "target enter data": all of its words must be in the name. */
	for (;;) {
		char word[32];
		size_t length = strcspn(construct, " ");
		if (length >= sizeof(word))
			return false;
		memcpy(word, construct, length);
		word[length] = '\0';
		if (!has_word(directive, word))
			return false;
		if (construct[length] == '\0')
			return true;
		construct += length + 1;
	}
}

char *names_directive_critical_name(const struct directive *directive)
{
	const char *at = directive->text + directive->name_length;

	while (*at == ' ')
		at++;
	if (*at != '(')
		return NULL;
	for (at++; *at == ' '; at++)
		;
	size_t length = 0;
	while (is_word_part(at[length]))
		length++;
	return length > 0 ? strndup(at, length) : NULL;
}
