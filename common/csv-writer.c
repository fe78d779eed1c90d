/* SPDX-License-Identifier: BSD-3-Clause */
/* The CSV of reports and of the summary. */
#include "common/csv-writer.h"

#include <string.h>

#include "common/utf8.h"
#include "output.h"

void csv_start(struct csv_writer *csv, FILE *out)
{
	*csv = (struct csv_writer){.out = out};
}

void csv_end_row(struct csv_writer *csv)
{
	put_byte(csv->out, '\n');
	csv->has_fields = false;
}

static void begin_field(struct csv_writer *csv)
{
	if (csv->has_fields)
		put_byte(csv->out, ',');
	csv->has_fields = true;
}

void csv_put_text(struct csv_writer *csv, const char *text)
{
	begin_field(csv);
	if (text == NULL || text[0] == '\0')
		return;
	FILE *out = csv->out;
	bool formula = strchr("=+-@\t\r", *text) != NULL;
	bool quoted = text[strcspn(text, "\",\r\n")] != '\0';
	const char *start;
	uint32_t character;

	put_text(out, quoted ? "\"" : "");
	put_text(out, formula ? "'" : "");
	do {
		start = text;
		while (*text >= ' ' && *text <= '~' && *text != '"')
			text++;
		put_bytes(out, start, (size_t)(text - start));
		start = text;
		character = utf8_next(&text);
		bool shows = character == '\n' || character == 0 ||
			     (character != UTF8_REPLACEMENT && !utf8_is_unsafe(character));
		if (character == '"')
			put_text(out, "\"\"");
		else if (shows)
			put_bytes(out, start, (size_t)(text - start));
		else
			put_text(out, UTF8_REPLACEMENT_TEXT);
	} while (character != 0);
	put_text(out, quoted ? "\"" : "");
}

void csv_put_empty(struct csv_writer *csv)
{
	begin_field(csv);
}

void csv_put_number(struct csv_writer *csv, uint64_t number)
{
	begin_field(csv);
	put_number(csv->out, number);
}

void csv_put_signed(struct csv_writer *csv, int64_t number)
{
	begin_field(csv);
	put_signed(csv->out, number);
}

void csv_put_decimal(struct csv_writer *csv, double number, unsigned decimals)
{
	begin_field(csv);
	put_decimal(csv->out, number, decimals);
}
