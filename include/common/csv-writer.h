/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes CSV (RFC 4180, but lines end in a newline alone) field by field to a file, without memory
 * of its own and without looking at errors, which the file remembers.
 */
#ifndef COMMON_CSV_WRITER_H
#define COMMON_CSV_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct csv_writer {
	FILE *out;
	bool has_fields; /* this row has one already */
};

void csv_start(struct csv_writer *csv, FILE *out);
void csv_end_row(struct csv_writer *csv);

/*
 * Quoted where it has to be; NULL is an empty field. Names come from strangers' archives: what
 * would steer a terminal, and invalid UTF-8, becomes U+FFFD, but for line ends, which are quoted;
 * and where a spreadsheet would take the text for a formula (=, +, -, @, a tab or a carriage return
 * come first) an apostrophe stands before it.
 */
void csv_put_text(struct csv_writer *csv, const char *text);

void csv_put_empty(struct csv_writer *csv);
void csv_put_number(struct csv_writer *csv, uint64_t number);
void csv_put_signed(struct csv_writer *csv, int64_t number);
void csv_put_decimal(struct csv_writer *csv, double number, unsigned decimals); /* rounded */

#endif
