/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of a preprocessed text as a tree of statements and expressions, in which each
 * directive of OpenMP is a node around its body. It holds nothing of libclang's, which is gone once
 * it is read; places are offsets into the text.
 *
 * What is not understood is TREE_OTHER, with the children that libclang shows: they are evaluated
 * in their order.
 */
#ifndef TREE_H
#define TREE_H

#include "arena.h"
#include "clauses.h"
#include "directives.h"
#include "engine.h"
#include "scan.h"

#include <stdbool.h>
#include <stddef.h>

enum tree_kind {
	TREE_OTHER,
	/* Expressions; parentheses and implicit conversions are left out. */
	TREE_NAME,        /* `variable` */
	TREE_MEMBER,      /* [object], or none for this->; `name`, `arrow` */
	TREE_INDEX,       /* [array, index] */
	TREE_CALL,        /* [callee and arguments]; `name`, `target`, `references` */
	TREE_UNARY,       /* [operand]; `name` is the operator, `postfix` */
	TREE_BINARY,      /* [left, right]; `name` is the operator */
	TREE_ASSIGN,      /* [left, right]; `name` is "=", "+=" and so on */
	TREE_CONDITIONAL, /* [condition, one, other] */
	TREE_CAST,        /* [operand], written by the user */
	TREE_NUMBER,      /* `value` */
	TREE_UNEVALUATED, /* sizeof and the like; no children */
	TREE_LAMBDA,      /* [body]: executed elsewhere */
	/* Statements. */
	TREE_BLOCK,
	TREE_IF,     /* [condition, then, else or NULL] */
	TREE_FOR,    /* [first, condition, step, body]; each of the first three may be NULL */
	TREE_RANGE,  /* [what it runs over, body]: C++'s range-for */
	TREE_WHILE,  /* [condition, body] */
	TREE_DO,     /* [body, condition] */
	TREE_SWITCH, /* [condition, body] */
	TREE_LABEL,  /* case, default, and labels; `name` is NULL for the first two */
	TREE_RETURN,
	TREE_BREAK,
	TREE_CONTINUE,
	TREE_GOTO,
	TREE_DECLARE,   /* [variables] */
	TREE_VARIABLE,  /* [initialiser] or nothing; `variable` */
	TREE_ASSEMBLER, /* asm */
	TREE_CONSTRUCT, /* [body] or nothing; `construct` */
};

enum variable_scope { SCOPE_LOCAL, SCOPE_PARAMETER, SCOPE_STATIC, SCOPE_FILE };

/* What kind of object it is. Everything else is false for all three. */
enum variable_shape { SHAPE_OTHER, SHAPE_ARITHMETIC, SHAPE_POINTER, SHAPE_ARRAY, SHAPE_RECORD };

struct tree_variable {
	const char *name;
	size_t offset;    /* of its name where it is first declared; which variable it is */
	size_t scope_end; /* of a local one: behind the block that it is declared in */
	enum variable_scope scope;
	enum variable_shape shape;
	bool integer;
	bool reference;             /* of C++; the rest is about what it refers to */
	bool constant;              /* declared const */
	bool atomic;                /* _Atomic or std::atomic */
	bool changing;              /* volatile */
	bool initialised;           /* has an initialiser, or a constructor */
	bool per_thread;            /* thread_local or __thread */
	bool threadprivate;         /* a directive says so */
	bool in_lambda;             /* declared in a lambda that is a function of its own here */
	struct tree_variable *next; /* of the table */
};

/* One directive inside of a function. */
struct tree_construct {
	const struct inst_pragma *pragma;
	struct directive_use use;
	struct clause_list clauses;
	uint64_t leaves; /* CONSTRUCT_BIT of each */
	bool implicit;   /* statements of `sections` in front of the first section */
	struct tree *node;
	struct tree_construct *parent; /* the one around it in the same function, or NULL */
};

struct tree {
	enum tree_kind kind;
	size_t begin, end;
	struct tree *parent;
	struct tree **children; /* NULL only where the list of kinds says so */
	size_t count, room;
	const char *name;
	struct tree_variable *variable;
	struct tree_construct *construct;
	long long value;
	size_t target;       /* TREE_CALL: tree_function's `offset`; 0 for none */
	unsigned references; /* TREE_CALL: bit n: argument n may be changed through a reference */
	bool arrow, postfix;
};

/* A function, or a lambda's body. */
struct tree_function {
	const char *name;
	size_t offset; /* of its name where it is first declared; 0 for a lambda */
	size_t begin, end;
	struct tree *body;
	struct tree_variable **parameters;
	size_t parameter_count, parameter_room;
	bool lambda;
	bool faulty; /* libclang reports an error inside */
};

/* What libclang reports as an error in the user's own files. */
struct tree_error {
	size_t offset;
	const char *text;
};

struct tree_unit {
	struct inst_arena *arena;
	const struct inst_input *input;
	const struct inst_scan *scan;
	struct tree_function *functions;
	size_t function_count, function_room;
	struct tree_construct **constructs; /* of all functions, in the text's order */
	size_t construct_count, construct_room;
	struct tree_error *errors;
	size_t error_count, error_room;
	const char *failure; /* libclang could not parse at all; NULL when it could */
	struct tree_variable *variables[1024];
	const char **threadprivate; /* names in such directives */
	size_t threadprivate_count, threadprivate_room;
};

/*
 * Reads the user's functions of a preprocessed text. `unit` is zeroed but for arena, input and
 * scan. System headers are left out.
 */
void tree_read(struct tree_unit *unit);

/* Does one contain the other? */
static inline bool tree_holds(const struct tree *outer, const struct tree *inner)
{
	for (; inner != NULL; inner = inner->parent)
		if (inner == outer)
			return true;
	return false;
}

/* Is it among the directive's leaves? */
static inline bool construct_has(const struct tree_construct *construct, uint64_t bits)
{
	return (construct->leaves & bits) != 0;
}

/* The construct's body; NULL for none. */
static inline struct tree *construct_body(const struct tree_construct *construct)
{
	return construct->node->count > 0 ? construct->node->children[0] : NULL;
}

#endif
