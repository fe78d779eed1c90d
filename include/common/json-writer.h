/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes JSON (RFC 8259) item by item to a file, without memory of its own and without looking at
 * errors, which the file remembers. The caller opens and closes objects and arrays and chooses
 * where lines begin; the writer knows the separators.
 *
 * Each function that writes an item takes its key, or NULL in an array and for the outermost item.
 * Texts are UTF-8, what is not valid in them becomes U+FFFD. What would steer a terminal is
 * escaped, and "<" as well, so that the JSON can stand in a web page.
 */
#ifndef COMMON_JSON_WRITER_H
#define COMMON_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json_writer {
	FILE *out;
	unsigned indent;     /* blanks at a line's start for each object or array that is open */
	unsigned depth;      /* of the item that comes next, at most 63 */
	bool compact;        /* no blank behind a comma or a colon; the caller may set it */
	bool has_items;      /* the innermost object or array has one already */
	bool begins_line;    /* the next item begins a line */
	uint64_t with_lines; /* a bit for each depth: the object or array there has lines */
};

/* `indent` is 0 for lines that all begin at the left. */
void json_start(struct json_writer *json, FILE *out, unsigned indent);

/* Ends the document with a newline. */
void json_finish(struct json_writer *json);

/* The next item begins a line; what is around it is then closed on a line, too. */
void json_begin_line(struct json_writer *json);

void json_open_object(struct json_writer *json, const char *key);
void json_close_object(struct json_writer *json);
void json_open_array(struct json_writer *json, const char *key);
void json_close_array(struct json_writer *json);

/* NULL is null. */
void json_put_text(struct json_writer *json, const char *key, const char *text);

/*
 * A text that the caller writes between the two calls, straight to the file: of ASCII, and nothing
 * that JSON escapes.
 */
void json_open_text(struct json_writer *json, const char *key);
void json_close_text(struct json_writer *json);

void json_put_number(struct json_writer *json, const char *key, uint64_t number);
void json_put_signed(struct json_writer *json, const char *key, int64_t number);
void json_put_boolean(struct json_writer *json, const char *key, bool value);
void json_put_null(struct json_writer *json, const char *key);

/* The number divided by ten to the power of `decimals` (1 to 9), with all of them: exact. */
void json_put_scaled(struct json_writer *json, const char *key, uint64_t number, unsigned decimals);

/* Rounded to so many decimals. Infinite or not a number: null. */
void json_put_decimal(struct json_writer *json, const char *key, double number, unsigned decimals);

/* Twelve digits at most, as short as possible. Infinite or not a number: null. */
void json_put_real(struct json_writer *json, const char *key, double number);

#endif
