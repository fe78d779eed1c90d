/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A recursive reader without a tree: each value is visited when it is read. Escapes in texts become
 * their characters; those of surrogates, and of control characters, become '?'.
 */
#include "common/json-reader.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct reader {
	const char *at, *end;
	json_visit *visit;
	void *context;
	char path[JSON_LONGEST], text[JSON_LONGEST];
	size_t path_length;
};

static void skip_blanks(struct reader *reader)
{
	while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) != NULL &&
	       *reader->at != '\0')
		reader->at++;
}

static bool take(struct reader *reader, char wanted)
{
	skip_blanks(reader);
	if (reader->at == reader->end || *reader->at != wanted)
		return false;
	reader->at++;
	return true;
}

static void add(struct reader *reader, size_t *length, unsigned char byte)
{
	if (*length + 1 < sizeof(reader->text))
		reader->text[(*length)++] = (char)byte;
}

static void add_code_point(struct reader *reader, size_t *length, unsigned code)
{
	if (code < ' ' || (code >= 0xd800 && code < 0xe000))
		code = '?';
	if (code < 0x80) {
		add(reader, length, (unsigned char)code);
	} else if (code < 0x800) {
		add(reader, length, (unsigned char)(0xc0 | code >> 6));
		add(reader, length, (unsigned char)(0x80 | (code & 0x3f)));
	} else {
		add(reader, length, (unsigned char)(0xe0 | code >> 12));
		add(reader, length, (unsigned char)(0x80 | (code >> 6 & 0x3f)));
		add(reader, length, (unsigned char)(0x80 | (code & 0x3f)));
	}
}

static bool read_code_point(struct reader *reader, unsigned *code)
{
	static const char digits[] = "0123456789abcdefABCDEF";

	*code = 0;
	for (int i = 0; i < 4; i++, reader->at++) {
		const char *digit = reader->at < reader->end && *reader->at != '\0'
					? strchr(digits, *reader->at)
					: NULL;
		if (digit == NULL)
			return false;
		unsigned value = (unsigned)(digit - digits);
		*code = *code * 16 + (value < 16 ? value : value - 6);
	}
	return true;
}

/* Reads a text whose first quote was taken into reader->text. */
static bool read_text(struct reader *reader)
{
	static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/     ";
	size_t length = 0;

	while (reader->at < reader->end && *reader->at != '"') {
		const char byte = *reader->at++;
		const char *escape;
		unsigned code;

		if ((unsigned char)byte < ' ')
			return false;
		if (byte != '\\') {
			add(reader, &length, (unsigned char)byte);
			continue;
		}
		if (reader->at == reader->end || *reader->at == '\0')
			return false;
		if (*reader->at == 'u') {
			reader->at++;
			if (!read_code_point(reader, &code))
				return false;
			add_code_point(reader, &length, code);
			continue;
		}
		escape = strchr(escapes, *reader->at++);
		if (escape == NULL)
			return false;
		add(reader, &length, (unsigned char)meanings[escape - escapes]);
	}
	reader->text[length] = '\0';
	return reader->at < reader->end && *reader->at++ == '"';
}

/* Adds a part to the path; returns the length to which the path is to be cut again. */
static size_t enter(struct reader *reader, const char *part)
{
	const size_t before = reader->path_length;
	int added = snprintf(reader->path + before, sizeof(reader->path) - before, "%s%s",
	    before > 0 ? "/" : "", part);

	if (added > 0)
		reader->path_length += (size_t)added;
	if (reader->path_length >= sizeof(reader->path))
		reader->path_length = sizeof(reader->path) - 1;
	return before;
}

static void leave(struct reader *reader, size_t length)
{
	reader->path_length = length;
	reader->path[length] = '\0';
}

static bool read_value(struct reader *reader, int depth);

static bool read_members(struct reader *reader, int depth)
{
	if (take(reader, '}'))
		return true;
	do {
		if (!take(reader, '"') || !read_text(reader) || !take(reader, ':'))
			return false;
		size_t before = enter(reader, reader->text);
		if (!read_value(reader, depth + 1))
			return false;
		leave(reader, before);
	} while (take(reader, ','));
	return take(reader, '}');
}

static bool read_elements(struct reader *reader, int depth)
{
	size_t count = 0;

	if (take(reader, ']'))
		return true;
	do {
		char number[24];
		snprintf(number, sizeof(number), "%zu", count++);
		size_t before = enter(reader, number);
		if (!read_value(reader, depth + 1))
			return false;
		leave(reader, before);
	} while (take(reader, ','));
	return take(reader, ']');
}

/* A number or a word, as written. */
static bool read_word(struct reader *reader)
{
	static const char allowed[] = "+-.0123456789abcdefghijklmnopqrstuvwxyzE";
	size_t length = 0;

	while (
	    reader->at < reader->end && *reader->at != '\0' && strchr(allowed, *reader->at) != NULL)
		add(reader, &length, (unsigned char)*reader->at++);
	reader->text[length] = '\0';
	return length > 0;
}

static bool read_value(struct reader *reader, int depth)
{
	if (depth == JSON_DEEPEST)
		return false;
	if (take(reader, '{'))
		return read_members(reader, depth);
	if (take(reader, '['))
		return read_elements(reader, depth);
	if (take(reader, '"') ? !read_text(reader) : !read_word(reader))
		return false;
	reader->visit(reader->context, reader->path, reader->text);
	return true;
}

int json_read(const char *bytes, size_t length, json_visit *visit, void *context)
{
	struct reader reader = {
	    .at = bytes, .end = bytes + length, .visit = visit, .context = context};

	if (!read_value(&reader, 0))
		return -1;
	skip_blanks(&reader);
	return reader.at == reader.end ? 0 : -1;
}
