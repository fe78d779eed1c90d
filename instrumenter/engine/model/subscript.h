/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Subscripts as polynomials: sums of integers times products of variables. Two subscripts can be
 * compared if both are polynomials of the same variables.
 */
#ifndef MODEL_SUBSCRIPT_H
#define MODEL_SUBSCRIPT_H

#include "variable-uses.h"

enum { SUBSCRIPT_MOST_FACTORS = 3, SUBSCRIPT_MOST_TERMS = 12 };

/* A variable, or a member's path that is treated as one. */
struct subscript_factor {
	const struct tree_variable *variable;
	const char *path; /* NULL for the variable itself */
};

struct subscript_term {
	long long coefficient;
	struct subscript_factor factors[SUBSCRIPT_MOST_FACTORS]; /* sorted */
	size_t factor_count;
};

struct subscript {
	bool known;
	struct subscript_term
	    terms[SUBSCRIPT_MOST_TERMS]; /* no two with the same factors, no coefficient 0 */
	size_t count;
};

/*
 * Reads the expression as a polynomial; unknown if it is not one. A variable whose only value is
 * its initialiser is replaced by that value.
 */
struct subscript subscript_read(
    struct tree_unit *unit, const struct model_function *function, struct tree *expression);

/* left + right * scale */
struct subscript subscript_add_scaled(
    const struct subscript *left, const struct subscript *right, long long scale);

struct subscript subscript_multiply(const struct subscript *left, const struct subscript *right);

struct subscript subscript_subtract(const struct subscript *left, const struct subscript *right);

/* Is it a constant, without variables? */
bool subscript_is_constant(const struct subscript *subscript, long long *value);

bool subscript_mentions(const struct subscript *subscript, const struct tree_variable *variable);

/* The coefficient of the variable; unknown if the variable's square occurs. */
struct subscript subscript_coefficient(
    const struct subscript *subscript, const struct tree_variable *variable);

/*
 * The polynomial with the variable replaced by the value; unknown if the variable's square occurs.
 */
struct subscript subscript_replace(const struct subscript *subscript,
    const struct tree_variable *variable, const struct subscript *value);

/* Is left an integer multiple of right? right must not be 0. */
bool subscript_divide(
    const struct subscript *left, const struct subscript *right, long long *quotient);

#endif
