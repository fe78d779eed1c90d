/* SPDX-License-Identifier: BSD-3-Clause */
/* The checks. The list in lint.h shows which function reports what. */
#ifndef LINT_CHECKS_H
#define LINT_CHECKS_H

#include "lint-unit.h"

/* Checks one function. Not called for a function in which the parser reports errors. */
typedef void lint_check_function(struct lint_unit *unit, struct model_function *function);

lint_check_function lint_check_shared;
lint_check_function lint_check_dependence;
lint_check_function lint_check_place;
lint_check_function lint_check_tasks;
lint_check_function lint_check_privates;
lint_check_function lint_check_copyin;
lint_check_function lint_check_loop_change;
lint_check_function lint_check_nowait;
lint_check_function lint_check_spin;
lint_check_function lint_check_locks;
lint_check_function lint_check_declare_simd;
lint_check_function lint_check_false_sharing;
lint_check_function lint_check_default_none;

/* Not in the list: looks for the remedies of races that a run has shown, after all checks. */
lint_check_function lint_check_witnesses;

#endif
