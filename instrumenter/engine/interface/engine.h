/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The engine: one translation unit's text in, the instrumented text and a list of the constructs
 * out. It knows text, libclang and tables; it knows no processes, files to write or command lines.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include <stdbool.h>
#include <stddef.h>

/* What kind of text the engine is given. */
enum inst_form {
	INST_PREPROCESSED, /* output of `cc -E`, with line markers for the user's files and lines */
	INST_SOURCE, /* the user's file as written; only what stands literally in it is edited */
};

/*
 * The mark of a text that the engine wrote: its first declaration, in either form. It means nothing
 * to a compiler, and the preprocessor leaves it as it is, so that the text is recognised in a copy,
 * under another name, included by another file, and preprocessed. What follows the mark, up to the
 * end of the file that it stands in, has its calls already: it is INST_PASSED and left as it is.
 */
#define INST_MARK_NAME "ompinst_text"
#define INST_MARK      "struct " INST_MARK_NAME ";"
/*
 * In preprocessed text it is on the first line of this file, and what follows is all of the text.
 */
#define INST_MARK_FILE "<ompinst>"

struct inst_input {
	enum inst_form form;
	const char *text; /* need not end in NUL or newline; may hold any bytes */
	size_t length;
	const char *file_name; /* as the user named it */
	bool cplusplus;
	bool c_attributes; /* of C: the user's compiler takes directives in attributes */
	bool serial;       /* compiled without OpenMP: its pragmas mean nothing */
	/* Directives, by the first word of their names, that the user's compiler does not know. */
	const char *const *ignored;
	size_t ignored_count;
	/* For libclang: language, -std=, -m...; for INST_SOURCE also -I, -D and so on. */
	const char *const *clang_arguments;
	size_t clang_argument_count;
	/* INST_SOURCE: where clang's own headers are, should libclang not find any; NULL: unknown.
	 */
	const char *clang_headers;
	/*
	 * INST_SOURCE: a file with the definitions of macros that the user's compiler begins with,
	 * in place of clang's own: conditionals are read as it reads them. NULL: unknown.
	 */
	const char *predefined;
	/*
	 * INST_SOURCE: the lines of the file whose directives the user's preprocessor kept,
	 * ascending (a directive in a false #if is not among them).
	 */
	const int *active_lines;
	size_t active_line_count;
	/*
	 * Optional, INST_SOURCE: per active line what the preprocessor made of its directive,
	 * behind `omp`: macros of the user's may stand in it. NULL where it shows different ones.
	 */
	const char *const *active_directives;
	/*
	 * OLD=NEW of the user's -f...-prefix-map options, in their order; for names of files and
	 * folders.
	 */
	const char *const *prefix_maps;
	size_t prefix_map_count;
	/*
	 * Optional, INST_PREPROCESSED: the content of a file that a line marker names, for the last
	 * line of a directive that the preprocessor joined. NULL when it cannot be read. The text
	 * must stay valid during the rewrite.
	 */
	const char *(*read_file)(void *context, const char *file_name, size_t *length);
	void *read_file_context;
};

/*
 * One bit per construct group that --disable can name; the table of names is with the directives.
 */
typedef unsigned long long inst_groups;

/* An error in a filter file's text (heap, "line 3: ..."), or NULL. */
char *inst_filter_problem(const char *text);

/* The group of that name (not NUL-terminated), or 0 when there is none. */
inst_groups inst_find_group(const char *name, size_t length);

/* The name of the group of this index; NULL behind the last. */
const char *inst_group_name(size_t index);

struct inst_options {
	inst_groups disabled;
	bool locks;                  /* replace lock routines */
	bool functions;              /* instrument the user's functions ... */
	const char *function_filter; /* ... that this filter file's text takes; NULL: all */
	bool no_directives;          /* leave every directive alone (fuzzing: output = input) */
};

enum inst_status {
	INST_INSTRUMENTED,
	INST_SKIPPED,  /* executable, but left alone; see reason */
	INST_PASSED,   /* declarative or not instrumentable (target, simd ...); see reason */
	INST_DISABLED, /* by option or by `noinstrument` */
};

/* What became of a part of a combined directive that stays one directive, as in `for simd`. */
struct inst_part {
	const char *directive; /* its rows of the directive table */
	const char *calls;     /* around and inside of it, in their order; "" for none */
	const char *wait;      /* what becomes of the barrier at its end; "" when it has none */
	const char *clauses;   /* that it got of the directive's; "" for none */
};

/*
 * One directive of the text, in its order, or one function with inst_options.functions. Strings
 * live as long as the result.
 */
struct inst_construct {
	enum inst_status status;
	const char *directive; /* normalised: "parallel for", "critical"; "function" */
	const char *function;  /* its name, `N::C::f(int)`; NULL: a directive */
	const char *reason;    /* NULL when instrumented */
	const char *file;
	int line, column;
	const struct inst_part *parts; /* outermost first; of what calls the library only */
	size_t part_count;
};

struct inst_result {
	char *text; /* heap; the edited text, or a copy of the input when nothing was edited */
	size_t length;
	struct inst_construct *constructs;
	size_t construct_count;
	size_t edit_count; /* 0: text equals the input, the caller can compile the original */
	bool written;      /* the engine wrote all that the input holds: see INST_MARK */
	void *owner;       /* what inst_result_free() frees */
};

/*
 * Instruments one text. Returns 0, or -1 with a one-line message in *error (heap, caller frees)
 * when the text could not be processed at all (libclang failed, out of memory); *result is then
 * empty. Never exits, never prints. Recurses as deep as the text nests, as libclang does: the
 * caller provides a stack of that size, and sets LIBCLANG_NOTHREADS in the environment so that
 * libclang uses it.
 */
int inst_rewrite(const struct inst_input *input, const struct inst_options *options,
    struct inst_result *result, char **error);

void inst_result_free(struct inst_result *result);

#endif
