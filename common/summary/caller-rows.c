/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows are found by comparing with all: programs have some dozens of them. */
#include "common/caller-rows.h"

#include "common/summary-figures.h"

#include "shared/array.h"

#include <stdlib.h>
#include <string.h>

bool caller_is_library(const char *file)
{
	static const char *const folders[] = {
	    "/site-packages/", "/dist-packages/", "/lib/python3", "/lib64/python3"};
	static const char *const beginnings[] = {"<frozen ", "<__array_function__ "};

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (strstr(file, folders[i]) != NULL)
			return true;
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (strncmp(file, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return false;
}

static bool is_same(const struct summary_caller *one, const struct summary_caller *other)
{
	return one->line == other->line && one->inner_line == other->inner_line &&
	       one->construct_line == other->construct_line &&
	       summary_same_text(one->file, other->file) &&
	       summary_same_text(one->function, other->function) &&
	       summary_same_text(one->inner_file, other->inner_file) &&
	       summary_same_text(one->inner_function, other->inner_function) &&
	       summary_same_text(one->construct, other->construct) &&
	       summary_same_text(one->construct_file, other->construct_file) &&
	       summary_same_text(one->construct_function, other->construct_function);
}

bool caller_rows_add(
    struct summary *summary, struct caller_rows *rows, const struct summary_caller *row)
{
	struct summary_caller *all = (struct summary_caller *)summary->callers;

	for (size_t i = 0; i < summary->caller_count; i++) {
		if (!is_same(&all[i], row))
			continue;
		all[i].calls += row->calls;
		all[i].time += row->time;
		return true;
	}
	bool fits = ARRAY_PUSH(all, summary->caller_count, rows->room, *row);
	summary->callers = all;
	return fits;
}

static int longest_first(const void *left, const void *right)
{
	const struct summary_caller *one = left, *other = right;
	int result = (one->time < other->time) - (one->time > other->time);

	if (result == 0)
		result = summary_compare_places(one->file, one->line, other->file, other->line);
	return result != 0
		   ? result
		   : summary_compare_places(one->construct_file, 0, other->construct_file, 0);
}

void caller_rows_finish(struct summary *summary)
{
	if (summary->caller_count > 0)
		qsort((void *)summary->callers, summary->caller_count, sizeof(*summary->callers),
		    longest_first);
}

void caller_rows_free(struct summary *summary)
{
	free((void *)summary->callers);
	summary->callers = NULL;
	summary->caller_count = 0;
}

bool caller_is_called_by_way(const struct summary_caller *row)
{
	return row->inner_line != row->line || !summary_same_text(row->inner_file, row->file);
}

uint64_t caller_choose_columns(
    const struct table_column *columns, size_t count, const struct summary *summary)
{
	uint64_t left_out = 0;

	for (size_t i = 0; i < summary->caller_count; i++)
		if (caller_is_called_by_way(&summary->callers[i]))
			return 0;
	for (size_t i = 0; i < count; i++)
		if (columns[i].title != NULL && strcmp(columns[i].title, CALLER_WAY_TITLE) == 0)
			left_out |= UINT64_C(1) << i;
	return left_out;
}

char *caller_region(char *buffer, size_t size, const struct summary_caller *row)
{
	const struct summary_region region = {.name = row->construct,
	    .file = row->construct_file,
	    .function = row->construct_function,
	    .begin_line = row->construct_line,
	    .code = row->is_code ? SUMMARY_CODE : SUMMARY_INSTRUMENTED};

	summary_format_region(buffer, size, &region);
	return buffer;
}
