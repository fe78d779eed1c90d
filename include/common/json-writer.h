/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes JSON (RFC 8259) item by item to a file. It allocates no memory and does not check for
 * errors, which the file remembers. The caller opens and closes objects and arrays and chooses
 * where lines begin; the writer adds the separators.
 *
 * Each function that writes an item takes its key, or NULL in an array and for the outermost item.
 * Texts are UTF-8; invalid sequences become U+FFFD. Characters that would control a terminal are
 * escaped, and so is "<", so that the JSON can be embedded in a web page.
 */
#ifndef COMMON_JSON_WRITER_H
#define COMMON_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json_writer {
	FILE *out;
	unsigned indent;     /* blanks at the start of a line for each open object or array */
	unsigned depth;      /* of the next item, at most 63 */
	bool compact;        /* no blank after a comma or a colon; the caller may set it */
	bool has_items;      /* the innermost object or array already has one */
	bool begins_line;    /* the next item begins a line */
	uint64_t with_lines; /* a bit for each depth: the object or array there has lines */
};

/* `indent` is 0 if all lines begin at the left. */
void json_start(struct json_writer *json, FILE *out, unsigned indent);

/* Ends the document with a newline. */
void json_finish(struct json_writer *json);

/*
 * The next item begins a line; the enclosing object or array is then also closed on a line of its
 * own.
 */
void json_begin_line(struct json_writer *json);

void json_open_object(struct json_writer *json, const char *key);
void json_close_object(struct json_writer *json);
void json_open_array(struct json_writer *json, const char *key);
void json_close_array(struct json_writer *json);

/* A text of NULL is written as null. */
void json_put_text(struct json_writer *json, const char *key, const char *text);

/*
 * Surround a text that the caller itself writes to the file: ASCII only, and nothing that JSON
 * escapes.
 */
void json_open_text(struct json_writer *json, const char *key);
void json_close_text(struct json_writer *json);

void json_put_number(struct json_writer *json, const char *key, uint64_t number);
void json_put_signed(struct json_writer *json, const char *key, int64_t number);
void json_put_boolean(struct json_writer *json, const char *key, bool value);
void json_put_null(struct json_writer *json, const char *key);

/* Writes the number divided by ten to the power of `decimals` (1 to 9), with all digits: exact. */
void json_put_scaled(struct json_writer *json, const char *key, uint64_t number, unsigned decimals);

/* Rounded to that many decimals. Infinity and NaN become null. */
void json_put_decimal(struct json_writer *json, const char *key, double number, unsigned decimals);

/* At most twelve digits, as short as possible. Infinity and NaN become null. */
void json_put_real(struct json_writer *json, const char *key, double number);

#endif
