/* SPDX-License-Identifier: BSD-3-Clause */
/* The call paths of samples in a process's logs, as calling contexts: each path by names once. */
#ifndef LOGGED_PATHS_H
#define LOGGED_PATHS_H

#include "shared/hash-map.h"
#include "shared/trace-log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONVERT_NO_CONTEXT UINT32_MAX

/* A place in the code, and the context that called it; the texts are in the definitions log. */
struct convert_context {
	const char *function, *file; /* "": unknown */
	bool is_construct; /* whose code became a function: "parallel for at solver.c:12" */
	bool is_wrapper;   /* a short function of a header */
	uint32_t line;     /* 0: unknown */
	uint32_t parent;   /* index of an earlier one, or CONVERT_NO_CONTEXT */
	char *code;        /* without a line: see code_place_print(); heap; NULL: in no file */
};

struct convert_path_tree {
	const struct trace_log_path_node *nodes; /* in the definitions log, or `read` */
	struct trace_log_path_node *read; /* heap: from the threads' logs of a killed program */
	size_t count, room;
	uint32_t *inner,
	    *outer;   /* by node: index + 1 of its context as innermost, or as a caller */
	bool *starts; /* by node: only what starts a thread or the program is around it */
	size_t made;  /* nodes that have contexts */
	bool is_being_made;
};

struct convert_address {
	uint32_t line, is; /* is: enum trace_log_address_is */
	const char *function, *file;
};

/* A system call that blocked threads. */
struct convert_call {
	struct trace_log_call head;
	const char *name;
	const char *function[TRACE_LOG_CALL_DEPTH], *file[TRACE_LOG_CALL_DEPTH];
	uint32_t context; /* index + 1; 0: none */
};

/* A file that was loaded; the texts are in the definitions log. */
struct convert_module {
	struct trace_log_module head;
	const char *path, *build_id;
};

struct convert_paths {
	struct convert_call *calls; /* by number - 1 */
	size_t call_count, call_room;
	struct convert_module *modules;
	size_t module_count, module_room;
	struct convert_address *addresses;
	size_t address_count, address_room;
	struct map address_of;           /* struct trace_log_address.key to index */
	struct convert_path_tree *trees; /* by number - 1 */
	size_t tree_count, tree_room;
	struct convert_context *contexts;
	size_t context_count, context_room;
	struct map context_of; /* hash of a context to index */
};

/* Add an entry of the definitions log; false when memory ran out. Damaged entries are left out. */
bool convert_paths_add_address(struct convert_paths *paths, const char *data, const char *end);
bool convert_paths_add_tree(struct convert_paths *paths, const char *data, const char *end);
bool convert_paths_add_call(struct convert_paths *paths, const char *data, const char *end);
bool convert_paths_add_module(struct convert_paths *paths, const char *data, const char *end);

/* Makes the contexts of all paths; false when memory ran out. */
bool convert_paths_finish(struct convert_paths *paths);
void convert_paths_free(struct convert_paths *paths);

/* Returns the context of a sample at that node of a tree, or CONVERT_NO_CONTEXT. */
uint32_t convert_paths_context(const struct convert_paths *paths, uint32_t tree, uint32_t node);

/*
 * The same for a system call that blocked a thread: it has the call's name as its function, the
 * place of the program's own call, and the functions between them as its callers.
 */
uint32_t convert_paths_call(const struct convert_paths *paths, uint64_t number);

#endif
