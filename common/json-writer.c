/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON of reports, of the summary and of `ompinst --list`. */
#include "common/json-writer.h"

#include <math.h>

#include "common/utf8.h"
#include "output.h"

enum { REAL_DIGITS = 12 };

void json_start(struct json_writer *json, FILE *out, unsigned indent)
{
	*json = (struct json_writer){.out = out, .indent = indent};
}

void json_finish(struct json_writer *json)
{
	put_byte(json->out, '\n');
}

void json_begin_line(struct json_writer *json)
{
	json->begins_line = true;
	json->with_lines |= UINT64_C(1) << json->depth;
}

static void write_line_start(const struct json_writer *json)
{
	put_byte(json->out, '\n');
	for (unsigned i = 0; i < json->indent * json->depth; i++)
		put_byte(json->out, ' ');
}

/* ASCII bytes that need no escape: all printable ones except '"', '<' and '\\'. */
static const bool is_plain[256] = {
    [' ' ... '!'] = true,
    ['#' ... ';'] = true,
    ['=' ... '['] = true,
    [']' ... '~'] = true,
};

/* Writes the content of a text. Runs of plain bytes, which are most of it, are written together. */
static void write_escaped(FILE *out, const char *text)
{
	while (*text != '\0') {
		const char *start = text;

		while (is_plain[(unsigned char)*text])
			text++;
		put_bytes(out, start, (size_t)(text - start));
		start = text;
		uint32_t character = utf8_next(&text);
		if (character == 0)
			return;
		if (character == '"' || character == '\\')
			fprintf(out, "\\%c", (int)character);
		else if (character == '\n')
			put_text(out, "\\n");
		else if (character == '\t')
			put_text(out, "\\t");
		else if (character == UTF8_REPLACEMENT || character == '<' ||
			 utf8_is_unsafe(character))
			fprintf(out, "\\u%04x", (unsigned)character);
		else
			put_bytes(out, start, (size_t)(text - start));
	}
}

/* Writes what precedes an item: separator, line, key. */
static void begin_item(struct json_writer *json, const char *key)
{
	FILE *out = json->out;

	if (json->has_items)
		put_byte(out, ',');
	if (json->begins_line)
		write_line_start(json);
	else if (json->has_items && !json->compact)
		put_byte(out, ' ');
	json->has_items = true;
	json->begins_line = false;
	if (key == NULL)
		return;
	put_byte(out, '"');
	write_escaped(out, key);
	put_text(out, json->compact ? "\":" : "\": ");
}

static void open_item(struct json_writer *json, const char *key, char bracket)
{
	begin_item(json, key);
	put_byte(json->out, bracket);
	json->depth++;
	json->has_items = false;
	json->with_lines &= ~(UINT64_C(1) << json->depth);
}

static void close_item(struct json_writer *json, char bracket)
{
	bool has_lines = (json->with_lines >> json->depth & 1) != 0;

	json->depth--;
	if (has_lines && json->has_items)
		write_line_start(json);
	put_byte(json->out, bracket);
	json->has_items = true;
	json->begins_line = false;
}

void json_open_object(struct json_writer *json, const char *key)
{
	open_item(json, key, '{');
}

void json_close_object(struct json_writer *json)
{
	close_item(json, '}');
}

void json_open_array(struct json_writer *json, const char *key)
{
	open_item(json, key, '[');
}

void json_close_array(struct json_writer *json)
{
	close_item(json, ']');
}

void json_put_text(struct json_writer *json, const char *key, const char *text)
{
	if (text == NULL) {
		json_put_null(json, key);
		return;
	}
	json_open_text(json, key);
	write_escaped(json->out, text);
	json_close_text(json);
}

void json_open_text(struct json_writer *json, const char *key)
{
	begin_item(json, key);
	put_byte(json->out, '"');
}

void json_close_text(struct json_writer *json)
{
	put_byte(json->out, '"');
}

void json_put_number(struct json_writer *json, const char *key, uint64_t number)
{
	begin_item(json, key);
	put_number(json->out, number);
}

void json_put_signed(struct json_writer *json, const char *key, int64_t number)
{
	begin_item(json, key);
	put_signed(json->out, number);
}

void json_put_boolean(struct json_writer *json, const char *key, bool value)
{
	begin_item(json, key);
	put_text(json->out, value ? "true" : "false");
}

void json_put_null(struct json_writer *json, const char *key)
{
	begin_item(json, key);
	put_text(json->out, "null");
}

void json_put_scaled(struct json_writer *json, const char *key, uint64_t number, unsigned decimals)
{
	begin_item(json, key);
	put_scaled(json->out, number, decimals);
}

void json_put_decimal(struct json_writer *json, const char *key, double number, unsigned decimals)
{
	if (!isfinite(number)) {
		json_put_null(json, key);
		return;
	}
	begin_item(json, key);
	put_decimal(json->out, number, decimals);
}

void json_put_real(struct json_writer *json, const char *key, double number)
{
	if (!isfinite(number)) {
		json_put_null(json, key);
		return;
	}
	begin_item(json, key);
	put_real(json->out, number, REAL_DIGITS);
}
