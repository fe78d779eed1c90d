/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes CSV (RFC 4180, except that lines end with a newline only) field by field to a file. It
 * allocates no memory and does not check for errors, which the file remembers.
 */
#ifndef COMMON_CSV_WRITER_H
#define COMMON_CSV_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct csv_writer {
	FILE *out;
	bool has_fields; /* this row already has one */
};

void csv_start(struct csv_writer *csv, FILE *out);
void csv_end_row(struct csv_writer *csv);

/*
 * Quotes the text if necessary; NULL is an empty field. Names come from other people's archives:
 * characters that would control a terminal, and invalid UTF-8, become U+FFFD; line ends are kept
 * and quoted. An apostrophe precedes a text that a spreadsheet would take for a formula (it begins
 * with =, +, -, @, a tab or a carriage return).
 */
void csv_put_text(struct csv_writer *csv, const char *text);

void csv_put_empty(struct csv_writer *csv);
void csv_put_number(struct csv_writer *csv, uint64_t number);
void csv_put_signed(struct csv_writer *csv, int64_t number);
void csv_put_decimal(struct csv_writer *csv, double number, unsigned decimals); /* rounded */

#endif
