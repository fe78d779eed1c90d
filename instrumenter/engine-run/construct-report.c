/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages for the user. Each message is built first and written with one call: under `make -j`
 * many ompinst processes share one terminal, and lines must not mix.
 */
#include "construct-report.h"
#include "program-search.h"

#include "common/json-writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const status_names[] = {
    [INST_INSTRUMENTED] = "instrumented",
    [INST_SKIPPED] = "skipped",
    [INST_PASSED] = "passed",
    [INST_DISABLED] = "disabled",
};

#define STATUS_COUNT (sizeof status_names / sizeof status_names[0])

static void report(const char *severity, const char *file, const char *format, va_list arguments)
{
	char *text = NULL;

	if (vasprintf(&text, format, arguments) < 0)
		return;
	fprintf(stderr, "%s: %s: %s\n", file ? file : "ompinst", severity, text);
	free(text);
}

void report_warning(const char *file, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	report("warning", file, format, arguments);
	va_end(arguments);
}

void report_error(const char *file, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	report("error", file, format, arguments);
	va_end(arguments);
}

void report_not_run(const char *program, int problem)
{
	char *why = program_problem_text(program, problem);

	report_error(NULL, "cannot run '%s': %s", program, why != NULL ? why : strerror(problem));
	free(why);
}

void report_note(const char *file, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	report("note", file, format, arguments);
	va_end(arguments);
}

static const char *status_name(const struct inst_construct *construct)
{
	return (size_t)construct->status < STATUS_COUNT ? status_names[construct->status] : "?";
}

/* Prints one line about a construct that has no calls. */
static void print_construct(
    FILE *out, const struct inst_construct *construct, bool strict, size_t more)
{
	fprintf(out, "%s:%d:%d: ", construct->file, construct->line, construct->column);
	if (construct->status == INST_SKIPPED)
		fprintf(out, "%s: cannot instrument '%s': %s%s", strict ? "error" : "warning",
		    construct->directive, construct->reason, strict ? "" : "; left as it is");
	else
		fprintf(out, "note: '%s' %s: %s", construct->directive, status_name(construct),
		    construct->reason);
	if (more > 0)
		fprintf(out, " (and %zu more; --verbose lists them)", more);
	putc('\n', out);
}

/* Prints a line for each loop whose schedule cannot change. */
static void print_schedules(FILE *out, const struct inst_construct *construct)
{
	for (size_t i = 0; i < construct->part_count; i++)
		if (construct->parts[i].schedule[0] != '\0')
			fprintf(out, "%s:%d:%d: note: the schedule of '%s' stays as written: %s\n",
			    construct->file, construct->line, construct->column,
			    construct->directive, construct->parts[i].schedule);
}

/* Functions are counted separately: `--strict` and the totals concern directives. */
static bool is_directive(const struct inst_construct *construct)
{
	return construct->function == NULL;
}

/*
 * Prints ", N word (n: reason; ...)" for the directives of one status, with the reasons in order of
 * appearance.
 */
static void print_reasons(FILE *out, const struct engine_result *result, enum inst_status status)
{
	const char *separator = " (";

	for (size_t i = 0; i < result->construct_count; i++) {
		const struct inst_construct *construct = &result->constructs[i];
		size_t count = 0;
		bool seen = false;
		for (size_t j = 0; j < result->construct_count; j++) {
			const struct inst_construct *other = &result->constructs[j];
			bool same = is_directive(other) && other->status == status &&
				    strcmp(other->reason, construct->reason) == 0;
			seen |= same && j < i;
			count += same;
		}
		if (!is_directive(construct) || construct->status != status || seen)
			continue;
		fprintf(out, "%s%zu: %s", separator, count,
		    construct->reason[0] ? construct->reason : construct->directive);
		separator = "; ";
	}
	if (separator[0] == ';')
		putc(')', out);
}

static void print_totals(
    FILE *out, const char *input, const struct engine_result *result, const size_t *counts)
{
	size_t functions = 0;

	fprintf(out, "%s: %zu directive%s instrumented, %zu skipped", input,
	    counts[INST_INSTRUMENTED], counts[INST_INSTRUMENTED] == 1 ? "" : "s",
	    counts[INST_SKIPPED]);
	print_reasons(out, result, INST_SKIPPED);
	for (size_t status = INST_PASSED; status < STATUS_COUNT; status++) {
		if (counts[status] == 0)
			continue;
		fprintf(out, ", %zu %s", counts[status], status_names[status]);
		print_reasons(out, result, (enum inst_status)status);
	}
	for (size_t i = 0; i < result->construct_count; i++)
		functions += !is_directive(&result->constructs[i]) &&
			     result->constructs[i].status == INST_INSTRUMENTED;
	if (functions > 0)
		fprintf(out, ", %zu function%s instrumented", functions, functions == 1 ? "" : "s");
	putc('\n', out);
}

char *report_constructs(const struct options *options, const char *input,
    const struct engine_result *result, size_t *skipped_count)
{
	size_t counts[STATUS_COUNT] = {0}, shown = 0;
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	for (size_t i = 0; i < result->construct_count; i++)
		if (is_directive(&result->constructs[i]) &&
		    (size_t)result->constructs[i].status < STATUS_COUNT)
			counts[result->constructs[i].status]++;
	for (size_t i = 0; out != NULL && i < result->construct_count; i++) {
		const struct inst_construct *construct = &result->constructs[i];
		bool skipped = construct->status == INST_SKIPPED;
		if (!is_directive(construct))
			continue;
		if (options->verbose)
			print_schedules(out, construct);
		if (options->verbose || options->strict) {
			if (skipped || (options->verbose && construct->status != INST_INSTRUMENTED))
				print_construct(out, construct, options->strict, 0);
		} else if (skipped && shown++ == 0) {
			print_construct(out, construct, false, counts[INST_SKIPPED] - 1);
		}
	}
	if (out != NULL && options->verbose)
		print_totals(out, input, result, counts);
	*skipped_count = counts[INST_SKIPPED];
	if (out == NULL || fclose(out) != 0 || length == 0) {
		free(text);
		return NULL;
	}
	return text;
}

void report_text(const char *text)
{
	if (text != NULL)
		fwrite(text, 1, strlen(text), stderr);
}

static void put_parts(struct json_writer *json, const struct inst_construct *construct)
{
	json_open_array(json, "parts");
	for (size_t i = 0; i < construct->part_count; i++) {
		const struct inst_part *part = &construct->parts[i];

		json_open_object(json, NULL);
		json_put_text(json, "directive", part->directive);
		json_put_text(json, "calls", part->calls);
		json_put_text(json, "barrier", part->wait);
		json_put_text(json, "clauses", part->clauses);
		if (part->schedule[0] != '\0')
			json_put_text(json, "schedule_stays", part->schedule);
		json_close_object(json);
	}
	json_close_array(json);
}

/* Prints one JSON object per line, so that the lists of several files can be concatenated. */
static void print_json_construct(const struct inst_construct *construct, bool explain)
{
	struct json_writer json;

	json_start(&json, stdout, 0);
	json_open_object(&json, NULL);
	json_put_text(&json, "file", construct->file);
	json_put_signed(&json, "line", construct->line);
	json_put_signed(&json, "column", construct->column);
	json_put_text(&json, "directive", construct->directive);
	if (construct->function != NULL)
		json_put_text(&json, "function", construct->function);
	json_put_text(&json, "status", status_name(construct));
	json_put_text(&json, "reason", construct->reason);
	if (explain)
		put_parts(&json, construct);
	json_close_object(&json);
	json_finish(&json);
}

static void print_text_construct(const struct inst_construct *construct, bool explain)
{
	printf("%s:%d:%d: %s%s%s: %s", construct->file, construct->line, construct->column,
	    construct->directive, construct->function ? " " : "",
	    construct->function ? construct->function : "", status_name(construct));
	if (construct->reason[0] != '\0')
		printf(" (%s)", construct->reason);
	putchar('\n');
	for (size_t i = 0; explain && i < construct->part_count; i++) {
		const struct inst_part *part = &construct->parts[i];
		printf("    %s\n        calls:   %s\n", part->directive,
		    part->calls[0] != '\0' ? part->calls : "none");
		if (part->wait[0] != '\0')
			printf("        barrier: %s\n", part->wait);
		if (part->clauses[0] != '\0')
			printf("        clauses: %s\n", part->clauses);
		if (part->schedule[0] != '\0')
			printf("        schedule stays: %s\n", part->schedule);
	}
}

void report_list(const struct options *options, const struct engine_result *result)
{
	for (size_t i = 0; i < result->construct_count; i++) {
		if (options->list == LIST_JSON)
			print_json_construct(&result->constructs[i], options->explain);
		else
			print_text_construct(&result->constructs[i], options->explain);
	}
}
