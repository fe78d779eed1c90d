/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `ompinst lint`: errors that a text's directives, clauses and statements show without running it.
 * The engine, the command line and the documents all use this one list of checks.
 */
#ifndef LINT_H
#define LINT_H

#include "engine.h"

#include <stdint.h>

/*
 * CHECK(id, name, on by default, is it a data race, function, what it reports)
 *
 * Each check has a page doc/lint/NAME.md with a wrong and a right program. The engine's function is
 * lint_check_FUNCTION; one function may implement several checks.
 */
/* clang-format off */
#define LINT_CHECKS(CHECK) \
	CHECK(SHARED_WRITE, "openmp-shared-write", true, true, shared, \
	    "a shared variable that several threads write without protection") \
	CHECK(FLAG_WRITE, "openmp-flag-write", false, true, shared, \
	    "a shared flag that several threads set to the same constant without atomic") \
	CHECK(REDUCTION, "openmp-reduction", true, true, shared, \
	    "a reduction into a shared variable without a reduction clause") \
	CHECK(PRIVATE, "openmp-private", true, true, shared, \
	    "a shared variable that each iteration writes, then reads: it should be private") \
	CHECK(LASTPRIVATE, "openmp-lastprivate", true, true, shared, \
	    "a shared variable that each iteration writes and that is read after the loop") \
	CHECK(INNER_LOOP, "openmp-inner-loop", true, true, shared, \
	    "the variable of a loop inside of a parallel region that all threads share") \
	CHECK(LOOP_DEPENDENCE, "openmp-loop-dependence", true, true, dependence, \
	    "an iteration of a shared loop that needs or overwrites what another one writes") \
	CHECK(SIMD_DEPENDENCE, "openmp-simd-dependence", true, true, dependence, \
	    "an iteration of a simd loop that needs what another lane writes") \
	CHECK(DECLARE_SIMD, "openmp-declare-simd", true, true, declare_simd, \
	    "a variable of static storage that a declare simd function writes") \
	CHECK(SAME_ELEMENT, "openmp-same-element", true, true, dependence, \
	    "an array element that all iterations of a shared loop write") \
	CHECK(BARRIER_PLACE, "openmp-barrier-place", true, false, place, \
	    "a barrier, or a construct of the whole team, that only some threads or tasks reach") \
	CHECK(BARRIER_BRANCH, "openmp-barrier-branch", true, false, place, \
	    "a barrier, or a construct of the whole team, in a branch by the thread's number") \
	CHECK(ORDERED_PLACE, "openmp-ordered-place", true, false, place, \
	    "an ordered region inside of a loop without the ordered clause") \
	CHECK(CRITICAL_NESTED, "openmp-critical-nested", true, false, place, \
	    "a critical region inside of one of the same name: a deadlock") \
	CHECK(TASK_LIFETIME, "openmp-task-lifetime", true, true, tasks, \
	    "a task that shares a variable whose block may end before the task is executed") \
	CHECK(TASK_WAIT, "openmp-task-wait", true, true, tasks, \
	    "a variable that is used before the wait for the task that writes it") \
	CHECK(TASK_WRITE, "openmp-task-write", true, true, tasks, \
	    "a shared variable that the tasks of a loop all write") \
	CHECK(FIRSTPRIVATE, "openmp-firstprivate", true, false, privates, \
	    "a private variable that is read before it is written: firstprivate is meant") \
	CHECK(COPYIN, "openmp-copyin", true, false, copyin, \
	    "a threadprivate variable that serial code sets and a region without copyin reads") \
	CHECK(LOOP_CHANGE, "openmp-loop-change", true, false, loop_change, \
	    "the variable or the bound of an associated loop that its body changes") \
	CHECK(NOWAIT, "openmp-nowait", true, true, nowait, \
	    "a variable of a construct with nowait, or master, that others use before a barrier") \
	CHECK(REDUCTION_READ, "openmp-reduction-read", true, true, nowait, \
	    "the variable of a reduction with nowait that is read before a barrier") \
	CHECK(SPIN, "openmp-spin", true, true, spin, \
	    "a loop that waits for a shared variable without an atomic read or a flush") \
	CHECK(ATOMIC, "openmp-atomic", true, true, spin, \
	    "an atomic update whose value contains the variable itself") \
	CHECK(LOCK_TWICE, "openmp-lock-twice", true, false, locks, \
	    "a simple lock that is set by the thread that holds it") \
	CHECK(LOCK_KEPT, "openmp-lock-kept", true, false, locks, \
	    "a return on which a lock stays set that other paths unset") \
	CHECK(LOCK_ORDER, "openmp-lock-order", true, false, locks, \
	    "two locks that functions of a file take in opposite orders") \
	CHECK(FALSE_SHARING, "openmp-false-sharing", true, false, false_sharing, \
	    "a loop that writes what shares a line of memory with what other threads write") \
	CHECK(DEFAULT_NONE, "openmp-default-none", false, false, default_none, \
	    "a proposal: default(none) for a parallel region, with what it shares")
/* clang-format on */

enum lint_check {
#define CHECK(id, name, on, race, function, about) LINT_##id,
	LINT_CHECKS(CHECK) LINT_CHECK_COUNT
#undef CHECK
};

/* A finding of these is no error: it costs time, or proposes a clause. */
#define LINT_PERFORMANCE(check) ((check) == LINT_FALSE_SHARING || (check) == LINT_DEFAULT_NONE)

/* A set of checks. */
typedef uint64_t lint_set;

#define LINT_BIT(check) (UINT64_C(1) << (check))

struct lint_check_row {
	const char *name;
	bool on;   /* by default */
	bool race; /* its findings are unordered accesses */
	const char *about;
};

/* A place in the user's files. Column 0: the first column of the line that is not blank. */
struct lint_place {
	const char *file;
	int line, column;
};

/*
 * A race that a run has shown: two accesses of one variable. Checks take these accesses for ones of
 * several threads, whatever conditions they depend on, and look for their remedies.
 */
struct lint_witness {
	const char *file[2]; /* the last components of their names */
	int line[2];
	const char *name; /* the variable with which both expressions begin; "": not known */
};

/* What changes at a directive, or before a statement or directive. */
enum lint_change {
	LINT_CHANGE_ADD,    /* the clause `text` at the directive's end */
	LINT_CHANGE_REMOVE, /* the clause `text`; "shared(x)": x from the lists of shared */
	LINT_CHANGE_NAME,   /* the name of a critical construct becomes `text`; "": none */
	LINT_CHANGE_OTHER,  /* the directive `text` in place of its name and clauses */
	LINT_CHANGE_BEFORE, /* a line with the directive `text` before it */
	LINT_CHANGE_DELETE, /* the directive is removed */
	/* Of statements; `at` may be some words of one. `text` can have several lines. */
	LINT_CHANGE_LINE,   /* lines with `text` before it */
	LINT_CHANGE_BRANCH, /* the body `at` of a branch becomes a block that begins with `text` */
	LINT_CHANGE_BODY,   /* the empty body of the loop `at` becomes a block with the lines */
	LINT_CHANGE_AFTER,  /* a line with `text` behind the one with the words */
	LINT_CHANGE_WORDS,  /* the words become `text` */
	/* `text` is added to each element of the array `at` in the line; the column: how many */
	LINT_CHANGE_ELEMENT,
	/*
	 * They stay. But they must be there, and not in a conditional part (#if) that begins behind
	 * the line with the number `text`.
	 */
	LINT_CHANGE_NOTHING,
	/* They stay, and must be as often as the column says from the line to the one of `text`. */
	LINT_CHANGE_COUNT,
};

/*
 * One change of a remedy, by the words of the preprocessed text. The user's file may have others
 * there (macros): whoever edits it must compare.
 */
struct lint_fix {
	enum lint_change change;
	struct lint_place place;
	bool directive; /* at a directive, else at a statement */
	const char *at; /* the directive's name, "parallel for", or the statement's text */
	const char *text;
};

struct lint_finding {
	enum lint_check check; /* LINT_CHECK_COUNT: an error of the parser */
	struct lint_place place;
	const char *message;
	struct lint_place note_place;
	const char *note;             /* the remedy; "" if none */
	const struct lint_fix *fixes; /* all changes of the one right remedy; none: undecided */
	size_t fix_count;
};

struct lint_result {
	struct lint_finding *findings; /* in the text's order; strings live as long as the result */
	size_t finding_count;
	void *owner;
};

/*
 * Checks a preprocessed text (INST_PREPROCESSED). If the text cannot be processed at all, returns
 * -1 with a message in *error (heap, or NULL); otherwise returns 0. Never exits, never prints;
 * recurses as inst_rewrite() does.
 */
int inst_lint(
    const struct inst_input *input, lint_set checks, struct lint_result *result, char **error);

void inst_lint_free(struct lint_result *result);

#endif
