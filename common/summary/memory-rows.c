/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a path says about memory: a function of the C library that is a system call, and one of its
 * allocator's around it. The place is the program's own call, or its line that faults.
 */
#include "common/memory-rows.h"

#include "common/summary-figures.h"

#include "shared/array.h"

#include <stdlib.h>
#include <string.h>

/* Functions without underscores before their names. */
static const char *const releasing_calls[] = {"munmap", "madvise"};
static const char *const growing_calls[] = {"mmap", "mmap64", "mremap", "mprotect"};
static const char *const breaks[] = {"brk", "sbrk"};
static const char *const allocators[] = {"malloc", "calloc", "realloc", "memalign",
    "posix_memalign", "aligned_alloc", "valloc", "libc_malloc", "libc_calloc", "libc_realloc",
    "libc_memalign", "int_malloc", "int_realloc", "int_memalign", "sysmalloc"};
static const char *const releasers[] = {"free", "cfree", "libc_free", "int_free", "munmap_chunk"};

static bool is_any(const char *name, const char *const *list, size_t count)
{
	for (size_t i = 0; name && i < count; i++)
		if (strcmp(name + strspn(name, "_"), list[i]) == 0)
			return true;
	return false;
}

#define IS_ANY(name, list) is_any(name, list, sizeof(list) / sizeof((list)[0]))

/* The GNU C library, by the name of its file, or of its source. */
static bool is_of_library(const struct blocked_frame *frame)
{
	const char *file = frame->file ? frame->file : "";

	return strncmp(file, "libc.so", strlen("libc.so")) == 0 ||
	       strncmp(file, "libc-", strlen("libc-")) == 0 ||
	       (frame->line > 0 && (file[0] == '.' || strstr(file, "/glibc-")));
}

/* Which functions of the library's allocator are on the path, up to the program's own call. */
struct allocator {
	bool gets, releases;
};

static struct allocator allocator_on(const struct blocked_frame *frames, size_t place)
{
	struct allocator on = {false, false};

	for (size_t i = 0; i < place; i++) {
		if (!is_of_library(&frames[i]))
			continue;
		on.gets |= IS_ANY(frames[i].function, allocators);
		on.releases |= IS_ANY(frames[i].function, releasers);
	}
	return on;
}

/* Returns whether the innermost function gets memory from the kernel, or gives it back. */
static bool find_change(const struct blocked_frame *frames, const struct allocator *allocator,
    enum summary_memory_change *change)
{
	const char *call = frames[0].function;
	bool grows = IS_ANY(call, growing_calls), is_break = IS_ANY(call, breaks);
	bool shrinks = IS_ANY(call, releasing_calls);

	if (!is_of_library(&frames[0]))
		return false;
	if (shrinks || ((grows || is_break) && allocator->releases))
		*change = SUMMARY_RELEASED;
	else if (grows || (is_break && allocator->gets))
		*change = SUMMARY_ALLOCATED;
	else
		return false;
	return true;
}

bool memory_rows_add_path(struct summary *summary, struct memory_rows *rows,
    const struct blocked_frame *frames, size_t count, uint64_t samples, uint64_t faults)
{
	struct blocked_place place = blocked_place(frames, count);
	if (place.named >= count)
		return true;
	struct allocator allocator = allocator_on(frames, place.innermost);
	struct summary_memory row = {
	    .by_allocator = allocator.gets || allocator.releases,
	    .function = frames[place.named].function,
	    .file = frames[place.named].file,
	    .line = frames[place.named].line,
	    .by = blocked_wrapper(frames, place),
	};
	bool fits = true;

	row.samples = samples - faults;
	if (row.samples > 0 && find_change(frames, &allocator, &row.change))
		fits = memory_rows_add(summary, rows, &row);
	row.samples = faults;
	/* The allocator writes to the first page of what it got. */
	row.change = SUMMARY_ALLOCATED;
	if (faults > 0 && allocator.gets)
		fits = fits && memory_rows_add(summary, rows, &row);
	row.change = SUMMARY_FAULTED;
	row.by_allocator = 0;
	if (faults > 0)
		fits = fits && memory_rows_add(summary, rows, &row);
	return fits;
}

bool memory_rows_add(
    struct summary *summary, struct memory_rows *rows, const struct summary_memory *row)
{
	struct summary_memory *all = (struct summary_memory *)summary->memory;

	for (size_t i = 0; i < summary->memory_count; i++) {
		if (all[i].change != row->change || all[i].by_allocator != row->by_allocator ||
		    all[i].line != row->line || !summary_same_text(all[i].file, row->file) ||
		    !summary_same_text(all[i].function, row->function))
			continue;
		all[i].samples += row->samples;
		blocked_join_wrappers(&all[i].by, &row->by);
		return true;
	}
	bool fits = ARRAY_PUSH(all, summary->memory_count, rows->room, *row);
	summary->memory = all;
	return fits;
}

static int compare(const void *left, const void *right)
{
	const struct summary_memory *one = left, *other = right;

	if (one->samples != other->samples)
		return one->samples < other->samples ? 1 : -1;
	return summary_compare_places(one->file, one->line, other->file, other->line);
}

void memory_rows_finish(struct summary *summary)
{
	if (summary->memory_count > 0)
		qsort((void *)summary->memory, summary->memory_count, sizeof(*summary->memory),
		    compare);
}

void memory_rows_free(struct summary *summary)
{
	free((void *)summary->memory);
	summary->memory = NULL;
	summary->memory_count = 0;
}
