/* SPDX-License-Identifier: BSD-3-Clause */
/* What the writers of JSON and CSV write, to the byte, and the columns of characters. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/csv-writer.h"
#include "common/json-writer.h"
#include "common/terminal-text.h"

#define ARROW     "\xe2\x86\x92"
#define NOT_VALID "\xc3(\xff"
#define TURNED    "\xe2\x80\xae" /* U+202E turns the direction of the text */

static void check_text(const char *what, const char *found, const char *expected)
{
	if (strcmp(found, expected) == 0)
		return;
	fprintf(stderr, "%s:\n%s\nexpected:\n%s\n", what, found, expected);
	exit(1);
}

static void check_json_layout(FILE *out)
{
	struct json_writer json;

	json_start(&json, out, 2);
	json_open_object(&json, NULL);
	json_begin_line(&json);
	json_put_text(&json, "format", "test");
	json_put_number(&json, "version", 1);
	json_begin_line(&json);
	json_open_array(&json, "rows");
	for (int i = 0; i < 2; i++) {
		json_begin_line(&json);
		json_open_object(&json, NULL);
		json_put_signed(&json, "i", -i);
		json_open_array(&json, "empty");
		json_close_array(&json);
		json_close_object(&json);
	}
	json_close_array(&json);
	json_begin_line(&json);
	json_open_array(&json, "none");
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
}

static const char json_layout[] = "{\n"
				  "  \"format\": \"test\", \"version\": 1,\n"
				  "  \"rows\": [\n"
				  "    {\"i\": 0, \"empty\": []},\n"
				  "    {\"i\": -1, \"empty\": []}\n"
				  "  ],\n"
				  "  \"none\": []\n"
				  "}\n";

static void check_json_values(FILE *out)
{
	struct json_writer json;

	json_start(&json, out, 0);
	json.compact = true;
	json_open_array(&json, NULL);
	json_put_number(&json, NULL, UINT64_MAX);
	json_put_signed(&json, NULL, INT64_MIN);
	json_put_scaled(&json, NULL, 1002003, 3);
	json_put_scaled(&json, NULL, 7, 6);
	json_put_decimal(&json, NULL, 2.0 / 3, 6);
	json_put_decimal(&json, NULL, 1234.5, 0);
	json_put_decimal(&json, NULL, NAN, 6);
	json_put_real(&json, NULL, 1e-9);
	json_put_real(&json, NULL, 0.25);
	json_put_boolean(&json, NULL, true);
	json_put_text(&json, NULL, NULL);
	json_begin_line(&json);
	json_put_text(&json, NULL, "a \"b\" \\ <c>\n\t\x01" ARROW NOT_VALID TURNED);
	json_open_text(&json, NULL);
	fputs("raw", out);
	json_close_text(&json);
	json_close_array(&json);
	json_finish(&json);
}

static const char json_values[] =
    "[18446744073709551615,-9223372036854775808,1002.003,0.000007,0.666667,1234,null,1e-09,0.25,"
    "true,null,\n"
    "\"a \\\"b\\\" \\\\ \\u003cc>\\n\\t\\u0001" ARROW "\\ufffd(\\ufffd\\u202e\",\"raw\"\n]\n";

static void check_csv(FILE *out)
{
	struct csv_writer csv;

	csv_start(&csv, out);
	csv_put_text(&csv, "plain");
	csv_put_text(&csv, "");
	csv_put_text(&csv, NULL);
	csv_put_number(&csv, UINT64_MAX);
	csv_put_signed(&csv, -5);
	csv_put_empty(&csv);
	csv_put_decimal(&csv, 0.5, 6);
	csv_end_row(&csv);
	csv_put_text(&csv, "a, \"b\"");
	csv_put_text(&csv, "two\nlines");
	csv_put_text(&csv, "=SUM(A1)");
	csv_put_text(&csv, "-\x01" ARROW NOT_VALID TURNED);
	csv_end_row(&csv);
}

static const char csv_rows[] = "plain,,,18446744073709551615,-5,,0.500000\n"
			       "\"a, \"\"b\"\"\",\"two\nlines\",'=SUM(A1),'-\xef\xbf\xbd" ARROW
			       "\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd\n";

static void check_output(const char *what, void (*write)(FILE *out), const char *expected)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (out == NULL)
		exit(1);
	write(out);
	fclose(out);
	check_text(what, text, expected);
	free(text);
}

static void check_width(const char *text, int expected)
{
	if (text_width(text) == expected)
		return;
	fprintf(stderr, "'%s': %d columns, expected %d\n", text, text_width(text), expected);
	exit(1);
}

int main(void)
{
	/* Whatever the locale's decimal point is; there need not be any such locale. */
	if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL)
		setlocale(LC_ALL, "");
	check_output("JSON's layout", check_json_layout, json_layout);
	check_output("JSON's values", check_json_values, json_values);
	check_output("CSV", check_csv, csv_rows);
	check_width("saxpy.c:12 for", 14);
	check_width("e\xcc\x81" ARROW, 2);
	check_width("\xe4\xb8\x89\xe5\x8d\x81", 4);
	check_width(NOT_VALID TURNED "\x1b", 5);
	return 0;
}
