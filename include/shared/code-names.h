/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names for places in machine code. While a program that was not recompiled runs, a region is
 * identified by the address of its code. Afterwards, debug information provides its function, file
 * and line, and the directive in the source text makes the line exact.
 *
 * libpomp_names.so finds the names when a program ends. libpomp loads it only if there are such
 * regions, because it needs elfutils' libdw. `ompreport recover` and `ompreport symbols` contain
 * the same code.
 */
#ifndef SHARED_CODE_NAMES_H
#define SHARED_CODE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What an address is. */
enum code_at {
	CODE_ENTRY,  /* the first instruction of the function that the construct was compiled to */
	CODE_RETURN, /* the return address of the call of the OpenMP runtime */
};

/* A place in the code of a program or library, which may have been unloaded since. */
struct code_place {
	const char *module;   /* the file's absolute path; "": the code is in no file */
	const char *build_id; /* hexadecimal digits, as file(1) prints them; "": none */
	uint64_t offset;      /* the address minus the file's load bias */
	enum code_at at;
	/* Reported by our runtime: code from GCC before 17, which does not show static loops. */
	bool is_gnu;
	/*
	 * For CODE_ENTRY: the return address of the call of the runtime, in the same module; the
	 * function there is the user's. 0: unknown.
	 */
	uint64_t caller;
};

/* How much is known; each level includes those above it. */
enum code_known {
	CODE_KNOWN_PLACE,     /* only the place */
	CODE_KNOWN_FUNCTION,  /* from a symbol: file is NULL and lines are 0 */
	CODE_KNOWN_LINE,      /* of the code, from debug information */
	CODE_KNOWN_DIRECTIVE, /* of the directive, from the source text */
};

/* A function into which code was inlined; the texts are on the heap. */
struct code_caller {
	char *function;  /* NULL: unknown */
	char *file;      /* of the call that became the code; NULL: unknown */
	int line;        /* its line; 0: unknown */
	bool is_wrapper; /* as below */
};

/* What was found; the texts are on the heap. code_name_free() releases them. */
struct code_name {
	enum code_known known;
	char *function;  /* the user's function, as the source spells it if known; or NULL */
	char *file;      /* absolute if debug information has it so, or NULL */
	int begin, end;  /* first and last line of the construct; 0: unknown */
	char *directive; /* its text without line ends, or NULL */
	char *sub_name;  /* critical: its name; barrier: "of for" if it ends one; or NULL */
	/* Of find_line(): into which functions that function was inlined, innermost first. */
	struct code_caller *callers;
	size_t caller_count;
	/*
	 * Of find_line(): the function is a short one of a header: its lines say less than those of
	 * its caller.
	 */
	bool is_wrapper;
};

/* Frees the texts. */
static inline void code_name_free(struct code_name *name)
{
	free(name->function);
	free(name->file);
	free(name->directive);
	free(name->sub_name);
	for (size_t i = 0; i < name->caller_count; i++) {
		free(name->callers[i].function);
		free(name->callers[i].file);
	}
	free(name->callers);
	*name = (struct code_name){0};
}

struct code_names_settings {
	const char *const *debug_dirs; /* searched before the usual ones; NULL-ended, or NULL */
	double seconds;                /* after this time, only the place is known; 0: no limit */
};

/* What to name. */
struct code_question {
	const char *construct; /* as in the list of constructs: "parallel", "task", ... */
	struct code_place place;
	uint64_t lock_offset; /* critical: its lock in the same module, which gives its name; 0:
				 unknown */
};

/* Keeps the files open between questions. */
struct code_namer;

/*
 * The only symbol of libpomp_names.so is pomp_code_names. Only one thread at a time may use a
 * namer. It never prints; damaged files yield less information instead of an error.
 */
#define CODE_NAMES_LIBRARY "libpomp_names.so.0"
#define CODE_NAMES_SYMBOL  "pomp_code_names"
#define CODE_NAMES_VERSION 5
struct code_names_table {
	unsigned version;
	struct code_namer *(*begin)(const struct code_names_settings *settings);
	/* From now on it has so many seconds: as the setting. */
	void (*limit)(struct code_namer *namer, double seconds);
	/* False when memory ran out: *name is then empty. */
	bool (*find)(
	    struct code_namer *namer, const struct code_question *question, struct code_name *name);
	/*
	 * The function and the line of code there, without looking for a directive: `begin` is the
	 * line. A CODE_RETURN is the call before it. If that function was inlined, the calls around
	 * it follow. False when memory ran out.
	 */
	bool (*find_line)(
	    struct code_namer *namer, const struct code_place *place, struct code_name *name);
	/* The same by symbols alone: no line, and what was inlined is part of its caller. */
	bool (*find_function)(
	    struct code_namer *namer, const struct code_place *place, struct code_name *name);
	/*
	 * Returns how many bytes of debug information find_line() may go through before it has the
	 * first line of the place's module: some nanoseconds each. 0: there are none, or it did.
	 */
	uint64_t (*debug_bytes)(struct code_namer *namer, const struct code_place *place);
	/*
	 * Returns the variable in static storage at the place, of which only the module and the
	 * offset count, with the part of it there: "lock", "locks[3]", "table.lock", or "table + 8
	 * bytes" if no more is known. Heap; NULL: unknown.
	 */
	char *(*find_variable)(struct code_namer *namer, const struct code_place *place);
	/*
	 * Returns why places in a module got less than they might have: "built without debug
	 * information", "is another file than the one that ran"; NULL: they did not. Valid until
	 * `end`.
	 */
	const char *(*problem)(struct code_namer *namer, const char *module);
	void (*end)(struct code_namer *namer);
};

/*
 * Converts a place to text and back. An archive keeps this text in a region's canonical name:
 * "code: /usr/lib/libfoo.so+0x1234 entry:1180 gnu 3f2a9c", with the caller after the colon. The
 * result of reading points into `text`, whose blanks are overwritten; false if the text has another
 * form.
 */
#define CODE_PLACE_PREFIX "code: "
char *code_place_print(const struct code_place *place); /* heap, NULL when memory ran out */
bool code_place_read(char *text, struct code_place *place);

/* Returns the last part of a path. */
static inline const char *code_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* Returns "libfoo.so+0x1234", which replaces the file if no file is known; heap or NULL. */
char *code_place_short(const struct code_place *place);

#endif
