/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a system call is there for: its name says it of most calls, and the library's function that
 * made the call says it of a futex, which is behind all that waits in memory.
 */
#include "common/blocked-rows.h"
#include "common/summary-figures.h"

#include "shared/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Functions that call futex(2), without underscores before their names, and what a thread waits for
 * there. A name that ends with an underscore is the begin of several. The first one that fits
 * holds.
 */
static const struct {
	const char *function, *what;
} waits[] = {
    {"PyThread_acquire_lock", "a Python lock"},
    {"PyThread_acquire_lock_timed", "a Python lock"},
    {"pthread_mutex_", "a pthread mutex"},
    {"pthread_rwlock_", "a pthread rwlock"},
    {"pthread_cond_", "a condition variable"},
    {"pthread_barrier_", "a pthread barrier"},
    {"pthread_join_", "the end of a thread"},
    {"pthread_join", "the end of a thread"},
    {"pthread_timedjoin_", "the end of a thread"},
    {"pthread_clockjoin_", "the end of a thread"},
    {"pthread_once", "a pthread once"},
    {"sem_", "a semaphore"},
    {"new_sem_", "a semaphore"},
    {"malloc", "malloc's lock"},
    {"calloc", "malloc's lock"},
    {"realloc", "malloc's lock"},
    {"free", "malloc's lock"},
    {"libc_malloc", "malloc's lock"},
    {"libc_calloc", "malloc's lock"},
    {"libc_free", "malloc's lock"},
    {"int_malloc", "malloc's lock"},
    {"int_free", "malloc's lock"},
    {"cxa_guard_acquire", "a static variable's first use"},
};

/* What other calls are there for. */
static const struct {
	const char *call, *what;
} purposes[] = {
    {"nanosleep", "sleep"},
    {"clock_nanosleep", "sleep"},
    {"pause", "a signal"},
    {"sigsuspend", "a signal"},
    {"sigtimedwait", "a signal"},
    {"wait4", "a child process"},
    {"waitid", "a child process"},
    {"vfork", "a child process"},
    {"futex", "a futex"},
    {"page fault", "a page of a file"},
};

static const char *without_underscores(const char *name)
{
	return name + strspn(name, "_");
}

static bool fits(const char *name, const char *known)
{
	size_t length = strlen(known);

	name = without_underscores(name);
	return strncmp(name, known, length) == 0 &&
	       (name[length] == '\0' || known[length - 1] == '_');
}

/*
 * Names of the library's files fit, too: with debug information, the innermost function may be one
 * that the compiler has put into another.
 */
static bool waits_in(const struct blocked_frame *frame, const char *known, bool is_programs)
{
	char name[64];

	if (frame->function && fits(frame->function, known))
		return true;
	if (!frame->file || is_programs)
		return false;
	snprintf(name, sizeof(name), "%s", summary_base_name(frame->file));
	name[strcspn(name, ".")] = '\0';
	return fits(name, known);
}

static bool has_function(const struct blocked_frame *frames, size_t count, const char *known)
{
	for (size_t i = 0; i < count; i++)
		if (frames[i].function && fits(frames[i].function, known))
			return true;
	return false;
}

/*
 * Python waits for its global lock by a condition variable, in a function that has no name in
 * distributions; those of its callers are known.
 */
static bool is_global_lock(const struct blocked_frame *frames, size_t count)
{
	return has_function(frames, count, "pthread_cond_") &&
	       (has_function(frames, count, "PyEval_") ||
		   has_function(frames, count, "PyGILState_"));
}

/* The frame at `place` is the program's, or that of an interpreter. */
static const char *wait_in(const struct blocked_frame *frames, size_t place, size_t count)
{
	if (is_global_lock(frames, count))
		return "Python's global lock";
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++)
		for (size_t k = 0; k <= place && k < count; k++)
			if (waits_in(&frames[k], waits[i].function, k == place))
				return waits[i].what;
	return "a futex";
}

/* Not the C library's own files, of whose debug information the names are relative. */
static bool is_compiled_with(const struct blocked_frame *frame)
{
	return frame->line > 0 && frame->file && frame->file[0] != '.' &&
	       !strstr(frame->file, "/glibc-");
}

/* Nor a header of the system's or the compiler's. */
static bool is_programs(const struct blocked_frame *frame)
{
	static const char *const folders[] = {
	    "/include/c++/", "/usr/include/", "/usr/local/include/", "/lib/gcc/"};
	bool is_own = is_compiled_with(frame);

	for (size_t i = 0; is_own && i < sizeof(folders) / sizeof(folders[0]); i++)
		is_own = !strstr(frame->file, folders[i]);
	return is_own;
}

/* Without a line, the file is named by the loader. */
static bool is_in_library(const struct blocked_frame *frame)
{
	static const char *const names[] = {
	    "libc.so", "libc-", "libpthread", "ld-linux", "libm.so", "libstdc++", "libgcc_s"};

	for (size_t i = 0; frame->file && i < sizeof(names) / sizeof(names[0]); i++)
		if (strncmp(frame->file, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static size_t innermost_place(const struct blocked_frame *frames, size_t count)
{
	size_t place = 0;

	while (place < count && !is_programs(&frames[place]))
		place++;
	if (place == count)
		for (place = 0; place < count && !is_compiled_with(&frames[place]); place++)
			continue;
	if (place < count || count == 0)
		return place;
	for (place = 0; place < count - 1; place++)
		if (frames[place].line == 0 && !is_in_library(&frames[place]))
			break;
	return place;
}

struct blocked_place blocked_place(const struct blocked_frame *frames, size_t count)
{
	size_t innermost = innermost_place(frames, count), named = innermost;

	while (named < count && (frames[named].is_wrapper || !is_programs(&frames[named])))
		named++;
	if (innermost == count || !frames[innermost].is_wrapper || named == count)
		named = innermost;
	return (struct blocked_place){innermost, named};
}

struct summary_wrapper blocked_wrapper(
    const struct blocked_frame *frames, struct blocked_place place)
{
	const struct blocked_frame *innermost = &frames[place.innermost];

	if (place.named == place.innermost)
		return (struct summary_wrapper){0};
	return (struct summary_wrapper){innermost->file, innermost->line};
}

void blocked_join_wrappers(struct summary_wrapper *of, const struct summary_wrapper *more)
{
	if (of->line != more->line || !summary_same_text(of->file, more->file))
		*of = (struct summary_wrapper){0};
}

char *blocked_wrapper_text(char buffer[BLOCKED_WRAPPER_SIZE], const char *before,
    const struct summary_wrapper *wrapper, const char *after)
{
	buffer[0] = '\0';
	if (wrapper->file)
		snprintf(buffer, BLOCKED_WRAPPER_SIZE, "%.8s%.36s:%d%.4s", before,
		    summary_base_name(wrapper->file), wrapper->line, after);
	return buffer;
}

void blocked_row_describe(
    struct summary_blocked *row, const struct blocked_frame *frames, size_t count)
{
	struct blocked_place place = blocked_place(frames, count);

	if (place.named < count) {
		row->function = frames[place.named].function;
		row->file = frames[place.named].file;
		row->line = frames[place.named].line;
		row->by = blocked_wrapper(frames, place);
	}
	if (!row->call)
		return;
	bool is_futex = strcmp(row->call, "futex") == 0;
	for (size_t i = 0; i < sizeof(purposes) / sizeof(purposes[0]); i++)
		if (strcmp(row->call, purposes[i].call) == 0)
			row->what = purposes[i].what;
	if (is_futex)
		row->what = wait_in(frames, place.innermost, count);
}

static bool is_same(const struct summary_blocked *one, const struct summary_blocked *other)
{
	return one->line == other->line && one->construct_line == other->construct_line &&
	       one->is_serial == other->is_serial && summary_same_text(one->call, other->call) &&
	       summary_same_text(one->what, other->what) &&
	       summary_same_text(one->function, other->function) &&
	       summary_same_text(one->file, other->file) &&
	       summary_same_text(one->construct, other->construct) &&
	       summary_same_text(one->construct_file, other->construct_file);
}

bool blocked_rows_add(
    struct summary *summary, struct blocked_rows *rows, const struct summary_blocked *row)
{
	struct summary_blocked *all = (struct summary_blocked *)summary->blocked_calls;

	for (size_t i = 0; i < summary->blocked_call_count; i++) {
		if (!is_same(&all[i], row))
			continue;
		all[i].time += row->time;
		all[i].seen += row->seen;
		blocked_join_wrappers(&all[i].by, &row->by);
		return true;
	}
	bool fits = ARRAY_PUSH(all, summary->blocked_call_count, rows->room, *row);
	summary->blocked_calls = all;
	return fits;
}

static int compare(const void *left, const void *right)
{
	const struct summary_blocked *one = left, *other = right;
	int order = (one->time < other->time) - (one->time > other->time);

	if (order == 0)
		order = summary_compare_places(one->file, one->line, other->file, other->line);
	return order ? order : strcmp(one->call ? one->call : "", other->call ? other->call : "");
}

void blocked_rows_finish(struct summary *summary)
{
	if (summary->blocked_call_count > 0)
		qsort((void *)summary->blocked_calls, summary->blocked_call_count,
		    sizeof(*summary->blocked_calls), compare);
}

void blocked_rows_free(struct summary *summary)
{
	free((void *)summary->blocked_calls);
	summary->blocked_calls = NULL;
	summary->blocked_call_count = 0;
}

char *blocked_name(char buffer[BLOCKED_NAME_SIZE], const struct summary_blocked *row)
{
	const char *call = row->call ? row->call : "system calls";

	if (row->what)
		snprintf(buffer, BLOCKED_NAME_SIZE, "%s", row->what);
	else
		snprintf(buffer, BLOCKED_NAME_SIZE, "%s%s", call,
		    row->call && !strchr(call, ' ') ? "(2)" : "");
	return buffer;
}

char *blocked_title(char buffer[BLOCKED_NAME_SIZE], const struct summary_blocked *row)
{
	blocked_name(buffer, row);
	if (!row->call)
		snprintf(buffer, BLOCKED_NAME_SIZE, "not seen");
	else if (strncmp(buffer, "a ", 2) == 0)
		memmove(buffer, buffer + 2, strlen(buffer + 2) + 1);
	return buffer;
}
