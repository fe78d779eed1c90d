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
	    {{"summary"}, "no archive"},
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
	ompreport_free(NULL);
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
	struct ompreport_table *table = make("regions", "--jobs=1");

	check_threads(table->rows);
	ompreport_free(table);
	puts(ompreport_version());
	return 0;
}
