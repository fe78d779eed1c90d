/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The statements of a Fortran procedure in free or fixed form, and what each does with a variable.
 * Expressions are compared as text: names are not resolved.
 */
#ifndef FORTRAN_STATEMENTS_H
#define FORTRAN_STATEMENTS_H

#include "race-source.h"

/* The block that a statement opens. */
enum fortran_block { FORTRAN_NO_BLOCK, FORTRAN_LOOP, FORTRAN_BRANCH, FORTRAN_OTHER_BLOCK };

struct fortran_statement {
	int line, last;   /* its lines, with continuations */
	const char *text; /* in lower case, without blanks, label and quoted texts */
	bool labelled;
	bool shares_line; /* another statement is on one of its lines */
	enum fortran_block opens;
	int block; /* the number of the statement that opens the block around it, or -1 */
};

struct fortran_procedure {
	struct fortran_statement *all; /* with its heading and its end */
	int count;
	size_t room;
	bool preprocessed; /* it, or what is before it, has lines of the preprocessor, or "!$" */
	bool labels_loops; /* it has loops that end at a label */
	int contains;      /* the line of its `contains`, or 0 */
};

/* The procedure, or main program, around the line; without statements if there is none. */
struct fortran_procedure race_fortran_procedure(
    struct inst_arena *arena, const struct race_text *text, int line);

enum fortran_use {
	FORTRAN_UNUSED,
	FORTRAN_READ,
	FORTRAN_WRITE,  /* x = e, where e does not name x */
	FORTRAN_UPDATE, /* x = x + e, x = max(x, e), if (e > x) x = e */
	FORTRAN_OTHER,  /* a loop's variable, an argument, or not known */
};

/* How a statement uses a variable. */
struct fortran_access {
	enum fortran_use use;
	const char *object;    /* what is written: "x", "a(i)" */
	const char *operation; /* of an update: "+", "*", "max", "min", ".and.", ".or." */
	const char *value;     /* what is written, or combined with the variable */
	bool conditional;      /* it is the action of an `if` on its line */
};

struct fortran_access race_fortran_access(
    struct inst_arena *arena, const struct fortran_statement *statement, const char *name);

/* How often the text, without blanks, has the name. */
int race_fortran_names(const char *text, const char *name);

/* A variable that the procedure declares for itself: "integer". */
struct fortran_variable {
	const char *type;
	bool array;
};

/* False if it declares none of this name, or one that others may reach. */
bool race_fortran_is_local(
    const struct fortran_procedure *procedure, const char *name, struct fortran_variable *variable);

#endif
