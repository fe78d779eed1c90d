/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of a preprocessed text as a tree of statements and expressions, in which each
 * OpenMP directive is a node around its body. The tree contains nothing of libclang's, whose data
 * is released after reading; places are offsets into the text.
 *
 * Anything else is TREE_OTHER, with the children that libclang shows, which are evaluated in their
 * order.
 */
#ifndef TREE_H
#define TREE_H

#include "arena.h"
#include "clauses.h"
#include "directives.h"
#include "engine.h"
#include "pragma-scan.h"

#include <stdbool.h>
#include <stddef.h>

enum tree_kind {
	TREE_OTHER,
	/* Expressions. Parentheses and implicit conversions are omitted. */
	TREE_NAME,        /* `variable` */
	TREE_MEMBER,      /* [object], or nothing for an implicit this->; `name`, `arrow` */
	TREE_INDEX,       /* [array, index] */
	TREE_CALL,        /* [callee and arguments]; `name`, `target`, `references` */
	TREE_UNARY,       /* [operand]; `name` is the operator, `postfix` */
	TREE_BINARY,      /* [left, right]; `name` is the operator */
	TREE_ASSIGN,      /* [left, right]; `name` is "=", "+=" and so on */
	TREE_CONDITIONAL, /* [condition, one, other] */
	TREE_CAST,        /* [operand], an explicit cast */
	TREE_NUMBER,      /* `value` */
	TREE_UNEVALUATED, /* sizeof and the like; no children */
	TREE_LAMBDA,      /* [body]: executed at an unknown time */
	/* Statements. */
	TREE_BLOCK,
	TREE_IF,     /* [condition, then, else or NULL] */
	TREE_FOR,    /* [first, condition, step, body]; each of the first three may be NULL */
	TREE_RANGE,  /* [range, body]: C++'s range-for */
	TREE_WHILE,  /* [condition, body] */
	TREE_DO,     /* [body, condition] */
	TREE_SWITCH, /* [condition, body] */
	TREE_LABEL,  /* case, default, and labels; `name` is NULL for case and default */
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

/* The kind of object. Everything else is false for all three. */
enum variable_shape { SHAPE_OTHER, SHAPE_ARITHMETIC, SHAPE_POINTER, SHAPE_ARRAY, SHAPE_RECORD };

struct tree_variable {
	const char *name;
	size_t offset;    /* of its name in the first declaration; identifies the variable */
	size_t scope_end; /* local variables: the end of the block that declares it */
	enum variable_scope scope;
	enum variable_shape shape;
	size_t element; /* bytes: of an array's element, of what a pointer points to, of a record */
	bool integer;
	bool reference;     /* a C++ reference; the fields below describe what it refers to */
	bool constant;      /* declared const */
	bool atomic;        /* _Atomic or std::atomic */
	bool changing;      /* volatile */
	bool initialised;   /* has an initialiser, or a constructor */
	bool per_thread;    /* thread_local or __thread */
	bool threadprivate; /* listed in a threadprivate directive */
	bool in_lambda;     /* declared in a lambda, which is a function of its own here */
	struct tree_variable *next; /* of the table */
};

/* One directive inside a function. */
struct tree_construct {
	const struct inst_pragma *pragma;
	struct directive_use use;
	struct clause_list clauses;
	uint64_t leaves; /* CONSTRUCT_BIT of each */
	bool implicit;   /* statements of `sections` before the first section */
	struct tree *node;
	struct tree_construct *parent; /* the construct around it in the same function, or NULL */
};

struct tree {
	enum tree_kind kind;
	size_t begin, end;
	struct tree *parent;
	struct tree **children; /* an element is NULL only where the list of kinds allows it */
	size_t count, room;
	const char *name;
	struct tree_variable *variable;
	struct tree_construct *construct;
	long long value;
	size_t target;       /* TREE_CALL: `offset` of the tree_function; 0 if unknown */
	unsigned references; /* TREE_CALL: bit n: argument n may be changed by reference */
	bool arrow, postfix;
};

/* A function, or a lambda's body. */
struct tree_function {
	const char *name;
	size_t offset; /* of its name in the first declaration; 0 for a lambda */
	size_t begin, end;
	struct tree *body;
	struct tree_variable **parameters;
	size_t parameter_count, parameter_room;
	bool lambda;
	bool faulty; /* libclang reports an error inside it */
};

/* An error that libclang reports in the user's own files. */
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
	struct tree_construct **constructs; /* of all functions, in text order */
	size_t construct_count, construct_room;
	struct tree_error *errors;
	size_t error_count, error_room;
	const char *failure; /* NULL, or why libclang could not parse at all */
	struct tree_variable *variables[1024];
	const char **threadprivate; /* names in threadprivate directives */
	size_t threadprivate_count, threadprivate_room;
};

/*
 * Reads the user's functions of a preprocessed text, without those of system headers. On entry, all
 * fields of `unit` except arena, input and scan are zero.
 */
void tree_read(struct tree_unit *unit);

/* Is `inner` equal to `outer` or inside it? */
static inline bool tree_holds(const struct tree *outer, const struct tree *inner)
{
	for (; inner != NULL; inner = inner->parent)
		if (inner == outer)
			return true;
	return false;
}

/* Does the construct have one of these leaves? */
static inline bool construct_has(const struct tree_construct *construct, uint64_t bits)
{
	return (construct->leaves & bits) != 0;
}

/* The construct's body, or NULL. */
static inline struct tree *construct_body(const struct tree_construct *construct)
{
	return construct->node->count > 0 ? construct->node->children[0] : NULL;
}

#endif
