/* SPDX-License-Identifier: BSD-3-Clause */
/* ompreport_make() and ompreport_read(): what is found becomes columns, what is said is collected.
 */
#include <stdlib.h>

#include "export-choice.h"
#include "library-call.h"
#include "run-command.h"
#include "table-columns.h"

/* Before the command does anything, such as to write a page. */
static void refuse_command(const char *name, FILE *messages)
{
	const char *before = "";

	fprintf(messages, "ompreport: '%s' has no table; expected ", name);
	for (size_t i = 0; i < command_count; i++) {
		if (!commands[i].has_table)
			continue;
		fprintf(messages, "%s%s", before, commands[i].name);
		before = "|";
	}
	fputs("; nothing was read or written\n", messages);
}

static void refuse_help(FILE *messages)
{
	fputs(
	    "ompreport: help and the version have no table; expected a command without --help; nothing "
	    "was made\n",
	    messages);
}

/* Returns the exit status; *columns stays NULL if there is no table. */
static int make_table(const struct call_words *words, FILE *messages, struct columns **columns)
{
	const struct command *command = words->count > 0 ? run_command_find(words->items[0]) : NULL;
	const struct table_taker taker = {table_columns_take, columns};

	if (command && !command->has_table) {
		refuse_command(command->name, messages);
		return 2;
	}
	int status = run_command(words->count, words->items, &taker);

	if (status == 0 && !*columns)
		refuse_help(messages);
	return status;
}

/* The same. */
static int read_columns(const struct call_words *words, FILE *messages, struct columns **columns)
{
	const struct trace_kind *kind = trace_kind_find(words->items[0]);
	struct option_matches matches;
	struct options options;

	if (!kind) {
		fprintf(messages, "ompreport: '%s': expected " TRACE_KINDS "; nothing was read\n",
		    words->count > 0 ? words->items[0] : "");
		return 2;
	}
	int status = run_command_read(
	    &options, &matches, run_command_find("export"), words->count - 1, words->items + 1);

	if (status == 1)
		refuse_help(messages);
	if (status != 0)
		return status - 1;
	if (!export_choice_suits(kind, &options))
		return 2;
	*columns = export_read_columns(kind, &options);
	return *columns ? run_command_check(&options, 0) : 1;
}

typedef int make_columns(const struct call_words *words, FILE *messages, struct columns **columns);

/*
 * Returns what `make` returns. What it would write to standard output is dropped: the text of
 * commands without a table.
 */
static int call(
    const char *const *from, char **messages, struct columns **columns, make_columns *make)
{
	char *text = NULL;
	size_t text_size, size;
	FILE *output = open_memstream(&text, &text_size);
	FILE *stream = open_memstream(messages, &size);
	int status = 1;

	if (output && stream) {
		struct call_words words = call_begin(from, output, stream);

		status = make(&words, stream, columns);
		call_end(&words);
	}
	if (output)
		fclose(output);
	if (stream)
		fclose(stream);
	free(text);
	return status;
}

static struct ompreport_table *finish(const char *const *from, char **messages, make_columns *make)
{
	struct ompreport_table *table;
	struct columns *columns = NULL;
	int status;

	*messages = NULL;
	status = call(from, messages, &columns, make);
	if (!columns)
		return NULL;
	table = columns_finish(columns, status);
	if (status == 1 || status == 2) {
		columns_free(table);
		return NULL;
	}
	if (*messages && !(*messages)[0]) {
		free(*messages);
		*messages = NULL;
	}
	return table;
}

struct ompreport_table *ompreport_make(const char *const *words, char **messages)
{
	return finish(words, messages, make_table);
}

struct ompreport_table *ompreport_read(const char *const *words, char **messages)
{
	return finish(words, messages, read_columns);
}

int ompreport_bytes(const char *const *words, char **output, size_t *size, char **messages)
{
	size_t messages_size;
	FILE *out = open_memstream(output, size);
	FILE *said = open_memstream(messages, &messages_size);
	int status = 1;

	if (out && said)
		status = ompreport_run(words, out, said);
	if (!out || fclose(out) != 0) {
		*output = NULL;
		*size = 0;
	}
	if (!said || fclose(said) != 0)
		*messages = NULL;
	return status;
}

int ompreport_text(const char *const *words, char **output, char **messages)
{
	size_t size;

	return ompreport_bytes(words, output, &size, messages);
}

void ompreport_free(struct ompreport_table *table)
{
	columns_free(table);
}
