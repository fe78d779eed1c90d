/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls ompreport.h as a program of somebody else does: library-test ARCHIVE OUT. The texts of
 * commands that it writes to OUT are compared with those of the program ompreport by
 * check-library.py.
 */
#include <ompreport.h>

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char *archive;

static void fail(const char *what)
{
	fprintf(stderr, "library-test: %s\n", what);
	exit(1);
}

static const struct ompreport_column *column(const struct ompreport_table *table, const char *name)
{
	for (size_t i = 0; i < table->column_count; i++) {
		if (strcmp(table->columns[i].name, name) == 0)
			return &table->columns[i];
	}
	fail(name);
	return NULL;
}

static struct ompreport_table *make(const char *command, const char *option)
{
	const char *const words[] = {command, option, archive, NULL};
	char *messages;
	struct ompreport_table *table = ompreport_make(words, &messages);

	if (!table || messages)
		fail(messages ? messages : "no table and no message");
	return table;
}

static void print_value(FILE *out, const struct ompreport_column *column, size_t row)
{
	switch (column->type) {
	case OMPREPORT_TEXT:
		fputs(((const char *const *)column->values)[row], out);
		break;
	case OMPREPORT_COUNT:
		if (((const uint64_t *)column->values)[row] != UINT64_MAX)
			fprintf(out, "%" PRIu64, ((const uint64_t *)column->values)[row]);
		break;
	case OMPREPORT_RATIO:
		if (!isnan(((const double *)column->values)[row]))
			fprintf(out, "%.17g", ((const double *)column->values)[row]);
		break;
	default:
		fail("a type that this table does not have");
	}
}

/* As CSV without quotation marks. */
static void print_table(FILE *out, const struct ompreport_table *table)
{
	for (size_t i = 0; i < table->column_count; i++)
		fprintf(out, "%s%s", i > 0 ? "," : "", table->columns[i].name);
	for (size_t row = 0; row < table->rows; row++) {
		for (size_t i = 0; i < table->column_count; i++) {
			fputs(i > 0 ? "," : "\n", out);
			print_value(out, &table->columns[i], row);
		}
	}
	fputc('\n', out);
}

/* Each visit is within the run, and in that of its thread that is around it. */
static void check_visits(void)
{
	const char *const words[] = {"visits", "--thread=1", archive, NULL};
	char *messages;
	struct ompreport_table *table = ompreport_read(words, &messages);

	if (!table)
		fail(messages);
	const struct ompreport_column *threads = column(table, "thread");
	const uint64_t *begins = column(table, "begin_ns")->values;
	const uint64_t *ends = column(table, "end_ns")->values;

	if (table->rows == 0)
		fail("no visits");
	for (size_t i = 0; i < table->rows; i++) {
		uint32_t name = ((const uint32_t *)threads->values)[i];

		if (begins[i] > ends[i] || name >= threads->name_count ||
		    !strstr(threads->names[name], "OMP thread 1"))
			fail("a visit of another thread, or one that ends before it begins");
	}
	ompreport_free(table);
}

/* What is wrong comes as a message, and nothing is written anywhere else. */
static void check_refused(void)
{
	static const struct {
		const char *words[3], *said;
	} wrong[] = {
	    {{"regions", "nowhere"}, "No such file"},
	    {{"regions"}, "no archive is named"},
	    {{"regionz"}, "did you mean 'regions'"},
	    {{"summary"}, "'summary' has no table; expected regions|"},
	    {{"html"}, "nothing was read or written"},
	    {{"regions", "--help"}, "without --help"},
	    {{NULL}, "Usage"},
	};
	char *messages;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		if (ompreport_make(wrong[i].words, &messages) || !messages ||
		    !strstr(messages, wrong[i].said))
			fail(messages ? messages : "no message");
		free(messages);
	}
	if (ompreport_make((const char *const[]){"summary", archive, NULL}, &messages) ||
	    !strstr(messages, "has no table"))
		fail("the summary has a table");
	free(messages);
	if (ompreport_read((const char *const[]){"visit", archive, NULL}, &messages) ||
	    !strstr(messages, "expected visits|"))
		fail("a word that is not known");
	free(messages);
	if (ompreport_read((const char *const[]){"visits", "--help", NULL}, &messages) ||
	    !strstr(messages, "without --help"))
		fail("help as a table");
	free(messages);
	ompreport_free(NULL);
}

/* Output with zero bytes comes whole, that of the other formats as text. */
static void check_bytes(void)
{
	const char *const words[] = {"export", "--cube", archive, NULL};
	char *output, *messages, *begin;
	size_t size;

	if (ompreport_bytes(words, &output, &size, &messages) != 0 || messages[0])
		fail(messages);
	if (strlen(output) >= size || output[size] != 0)
		fail("no bytes behind the first zero byte");
	free(messages);
	if (ompreport_text(words, &begin, &messages) != 0 || strcmp(begin, output) != 0)
		fail("another text than the bytes before the first zero byte");
	free(messages);
	free(output);
	free(begin);
	if (ompreport_bytes(
		(const char *const[]){"export", archive, NULL}, &output, &size, &messages) != 2 ||
	    size != 0 || output[0] || !strstr(messages, "no format"))
		fail("an export without a format");
	free(output);
	free(messages);
}

/* Commands that only print, with some of their formats or options, have a table. */
static void check_forms(void)
{
	struct ompreport_table *table = make("timeline", "--jobs=1");

	if (table->rows == 0)
		fail("a timeline without rows");
	ompreport_free(table);
	table = make("score", "--filter");
	column(table, "region");
	ompreport_free(table);
}

/* What commands print goes to the streams of the call, whatever else they do. */
static void check_streams(void)
{
	static const struct {
		const char *words[3], *printed, *said;
	} calls[] = {
	    {{"html", NULL}, "report.html\n", ""},
	    {{"symbols", NULL}, "no region is without its name", ""},
	    {{"recover", NULL}, "", "ompreport: "},
	    {{"scaling", "--sharing=x", NULL}, "", "--sharing is evidence"},
	    {{"scaling", "--sharing=/x/x", "--growth"}, "", "cannot read '/x/x'"},
	};
	char *output, *messages;

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		const char *words[6] = {NULL};
		size_t count = 0;

		for (; count < 3 && calls[i].words[count]; count++)
			words[count] = calls[i].words[count];
		words[count++] = archive;
		if (strcmp(words[0], "scaling") == 0)
			words[count] = archive;
		ompreport_text(words, &output, &messages);
		if (!strstr(output, calls[i].printed) || !strstr(messages, calls[i].said))
			fail(words[0]);
		free(output);
		free(messages);
	}
}

static void *call_often(void *expected)
{
	for (int i = 0; i < 10; i++) {
		struct ompreport_table *table = make("regions", "--jobs=1");

		if (table->rows != *(const size_t *)expected)
			fail("another number of rows beside other threads");
		ompreport_free(table);
	}
	return NULL;
}

static void check_threads(size_t rows)
{
	pthread_t threads[4];

	for (size_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, call_often, &rows);
	for (size_t i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	static const char *const commands[] = {
	    "regions", "threads", "locks", "tasks", "efficiency"};

	if (argc != 3)
		fail("usage: library-test ARCHIVE OUT");
	archive = argv[1];
	FILE *out = fopen(argv[2], "w");

	for (size_t i = 0; out && i < sizeof(commands) / sizeof(commands[0]); i++) {
		struct ompreport_table *table = make(commands[i], "--jobs=1");

		print_table(out, table);
		ompreport_free(table);
	}
	const char *const words[] = {"summary", archive, NULL};
	if (!out || ompreport_run(words, out, stderr) != 0 || fclose(out) != 0)
		fail("no summary");
	check_visits();
	check_refused();
	check_bytes();
	check_forms();
	check_streams();
	struct ompreport_table *table = make("regions", "--jobs=1");

	check_threads(table->rows);
	ompreport_free(table);
	puts(ompreport_version());
	return 0;
}
