/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The engine: takes the text of one translation unit, and returns the instrumented text and a list
 * of its constructs. It works with text, libclang and tables; it knows no processes, no output
 * files and no command lines.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include <stdbool.h>
#include <stddef.h>

/* What kind of text the engine is given. */
enum inst_form {
	INST_PREPROCESSED, /* output of `cc -E`, with line markers for the user's files and lines */
	INST_SOURCE, /* the user's file as written; only what it contains literally is edited */
};

/*
 * The mark of a text that the engine wrote: its first declaration, in either form. It means nothing
 * to a compiler, and the preprocessor keeps it. The engine therefore recognises its own text in a
 * copy, under another name, in an included file, and after preprocessing. Everything from the mark
 * to the end of its file already has its calls: it is INST_PASSED and left unchanged.
 */
#define INST_MARK_NAME "ompinst_text"
#define INST_MARK      "struct " INST_MARK_NAME ";"
/*
 * In preprocessed text the mark is on the first line of this file, and all of the text follows it.
 */
#define INST_MARK_FILE "<ompinst>"

struct lint_witness;

struct inst_input {
	enum inst_form form;
	const char *text; /* need not end in NUL or newline; may hold any bytes */
	size_t length;
	const char *file_name; /* as the user named it */
	bool cplusplus;
	bool c_attributes; /* C only: the user's compiler accepts directives in attributes */
	bool serial;       /* compiled without OpenMP: the pragmas have no effect */
	/* Directives that the user's compiler does not know, by the first word of their names. */
	const char *const *ignored;
	size_t ignored_count;
	/* For libclang: language, -std=, -m...; for INST_SOURCE also -I, -D and so on. */
	const char *const *clang_arguments;
	size_t clang_argument_count;
	/*
	 * INST_SOURCE: clang's own headers, if libclang does not find them itself; NULL: unknown.
	 */
	const char *clang_headers;
	/*
	 * INST_SOURCE: a file with the predefined macros of the user's compiler, used in place of
	 * clang's own so that conditionals are evaluated as that compiler does. NULL: unknown.
	 */
	const char *predefined;
	/*
	 * INST_SOURCE: the lines of the directives that the user's preprocessor kept, ascending (a
	 * directive in a false #if is not among them).
	 */
	const int *active_lines;
	size_t active_line_count;
	/*
	 * Optional, INST_SOURCE: for each active line the words after `omp`, with the user's macros
	 * expanded by the preprocessor. NULL if the preprocessor output shows different directives
	 * for the line.
	 */
	const char *const *active_directives;
	/*
	 * OLD=NEW of the user's -f...-prefix-map options, in their order; applied to names of files
	 * and folders.
	 */
	const char *const *prefix_maps;
	size_t prefix_map_count;
	/*
	 * Optional, INST_PREPROCESSED: returns the content of a file that a line marker names, or
	 * NULL if it cannot be read. The engine needs it to find the last line of a directive,
	 * because the preprocessor joins the lines. The text must stay valid during the rewrite.
	 */
	const char *(*read_file)(void *context, const char *file_name, size_t *length);
	void *read_file_context;
	/* For the checks: races that a run has shown. */
	const struct lint_witness *witnesses;
	size_t witness_count;
};

/*
 * One bit per construct group that --disable can name; the group names are in the directive table.
 */
typedef unsigned long long inst_groups;

/* An error in a filter file's text (heap, "line 3: ..."), or NULL. */
char *inst_filter_problem(const char *text);

/* The group with that name (not NUL-terminated), or 0 if there is none. */
inst_groups inst_find_group(const char *name, size_t length);

/* The name of the group with this index; NULL after the last. */
const char *inst_group_name(size_t index);

struct inst_options {
	inst_groups disabled;
	bool locks;                  /* replace lock routines */
	bool functions;              /* instrument the user's functions ... */
	const char *function_filter; /* ... that this filter file's text includes; NULL: all */
	bool tunable_loops;          /* loops may get other schedules when the program runs ... */
	bool other_runtime;          /* ... with a runtime other than the bundled one */
	bool tunable_tasks;          /* taskloops may get other grains when the program runs */
	bool no_directives;          /* leave every directive alone (fuzzing: output = input) */
};

enum inst_status {
	INST_INSTRUMENTED,
	INST_SKIPPED,  /* executable, but left alone; see reason */
	INST_PASSED,   /* declarative or not instrumentable (target, simd ...); see reason */
	INST_DISABLED, /* by an option or by `noinstrument` */
};

/*
 * What became of one part of a combined directive. A part is a directive of its own, such as `for
 * simd`.
 */
struct inst_part {
	const char *directive; /* its words, from the rows of the directive table */
	const char *calls;     /* around and inside it, in their order; "" if none */
	const char *wait;      /* what becomes of the barrier at its end; "" if it has none */
	const char *clauses;   /* the clauses of the directive that this part got; "" if none */
	/* With inst_options.tunable_loops: "", or for a loop why its schedule stays as it is. */
	const char *schedule;
};

/*
 * One directive of the text, in text order, or with inst_options.functions one function. Strings
 * live as long as the result.
 */
struct inst_construct {
	enum inst_status status;
	const char *directive; /* normalised: "parallel for", "critical"; "function" */
	const char *function;  /* its name, `N::C::f(int)`; NULL: a directive */
	const char *reason;    /* NULL when instrumented */
	const char *file;
	int line, column;
	const struct inst_part *parts; /* outermost first; only those that call the library */
	size_t part_count;
};

struct inst_result {
	char *text; /* heap; the edited text, or a copy of the input when nothing was edited */
	size_t length;
	struct inst_construct *constructs;
	size_t construct_count;
	size_t edit_count; /* 0: text equals the input, the caller can compile the original */
	bool written;      /* the engine wrote all of the input: see INST_MARK */
	void *owner;       /* freed by inst_result_free() */
};

/*
 * Instruments one text. If the text cannot be processed at all (libclang failed, out of memory),
 * returns -1 with a one-line message in *error (heap, caller frees) and an empty *result; otherwise
 * returns 0. Never exits, never prints. The recursion depth follows the nesting of the text, in
 * libclang too: the caller provides a large enough stack, and sets LIBCLANG_NOTHREADS in the
 * environment so that libclang uses that stack.
 */
int inst_rewrite(const struct inst_input *input, const struct inst_options *options,
    struct inst_result *result, char **error);

void inst_result_free(struct inst_result *result);

#endif
