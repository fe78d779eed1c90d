/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names for places in machine code. A region of a program that was not recompiled is known by the
 * address of its code while the program runs; which function, file and line that is, debug
 * information says afterwards, and the directive in the source text makes the line exact.
 *
 * libpomp_names.so finds the names when a program ends: libpomp loads it only where there are such
 * regions, because it needs elfutils' libdw. `ompreport recover` and `ompreport symbols` have the
 * same code in themselves.
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
	CODE_ENTRY,  /* the first instruction of the function that the construct was made into */
	CODE_RETURN, /* where the call of the OpenMP runtime returns to */
};

/* A place in the code of a program or library, which may be unloaded since. */
struct code_place {
	const char *module;   /* the file's absolute path; "": code of no file */
	const char *build_id; /* in hexadecimal digits, as file(1) prints it; "": it has none */
	uint64_t offset; /* the address, less what the loader added to the file's own addresses */
	enum code_at at;
	/* Seen through our runtime: code of GCC before 17, which does not show static loops. */
	bool is_gnu;
	/*
	 * CODE_ENTRY: where the call of the runtime returns to, in the same module, whose function
	 * is the user's; 0: unknown.
	 */
	uint64_t caller;
};

/* How much is known; each of them includes those before it. */
enum code_known {
	CODE_KNOWN_PLACE,     /* nothing but the place */
	CODE_KNOWN_FUNCTION,  /* by a symbol: file is NULL and lines are 0 */
	CODE_KNOWN_LINE,      /* of the code, by debug information */
	CODE_KNOWN_DIRECTIVE, /* of the directive, by the source text */
};

/* What was found; the texts are heap. code_name_free() releases them. */
struct code_name {
	enum code_known known;
	char *function;  /* the user's, as the source has it where that is known; or NULL */
	char *file;      /* absolute where debug information says so, or NULL */
	int begin, end;  /* first and last line of the construct; 0: unknown */
	char *directive; /* its text without the line's ends, or NULL */
	char *sub_name;  /* critical: its name; barrier: "of for" where it ends that; or NULL */
};

/* Frees the texts. */
static inline void code_name_free(struct code_name *name)
{
	free(name->function);
	free(name->file);
	free(name->directive);
	free(name->sub_name);
	*name = (struct code_name){0};
}

struct code_names_settings {
	const char *const *debug_dirs; /* searched before the usual ones; NULL-ended, or NULL */
	double seconds; /* after so many, places get no more than that; 0: no limit */
};

/* What to name. */
struct code_question {
	const char *construct; /* as the list of constructs has it: "parallel", "task", ... */
	struct code_place place;
	uint64_t lock_offset; /* critical: of its lock in the same module, by which its name is
				 known; 0: unknown */
};

/* Keeps the files open between questions. */
struct code_namer;

/*
 * The one symbol of libpomp_names.so, pomp_code_names. One thread at a time uses a namer; it never
 * prints, and damaged files give less rather than an error.
 */
#define CODE_NAMES_LIBRARY "libpomp_names.so.0"
#define CODE_NAMES_SYMBOL  "pomp_code_names"
#define CODE_NAMES_VERSION 2
struct code_names_table {
	unsigned version;
	struct code_namer *(*begin)(const struct code_names_settings *settings);
	/* False when memory ran out: *name is then empty. */
	bool (*find)(
	    struct code_namer *namer, const struct code_question *question, struct code_name *name);
	/*
	 * The variable in static storage at the place, of which only the module and the offset
	 * count, with the part that is there: "lock", "locks[3]", "table.lock", "table + 8 bytes"
	 * where no more is known. Heap;
	 * NULL: none is known.
	 */
	char *(*find_variable)(struct code_namer *namer, const struct code_place *place);
	/*
	 * Why places of a module got less than they might have: "built without debug information",
	 * "is another file than the one that ran"; NULL: they did not. Valid until `end`.
	 */
	const char *(*problem)(struct code_namer *namer, const char *module);
	void (*end)(struct code_namer *namer);
};

/*
 * A place as one text and back, as an archive keeps it in a region's canonical name:
 * "code: /usr/lib/libfoo.so+0x1234 entry:1180 gnu 3f2a9c", with the caller behind the colon. What
 * is read points into `text`, whose blanks are overwritten; false where the text is of another
 * form.
 */
#define CODE_PLACE_PREFIX "code: "
char *code_place_print(const struct code_place *place); /* heap, NULL when memory ran out */
bool code_place_read(char *text, struct code_place *place);

/* The path's last part. */
static inline const char *code_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* "libfoo.so+0x1234", which stands for the file where none is known; heap or NULL. */
char *code_place_short(const struct code_place *place);

#endif
