/* SPDX-License-Identifier: BSD-3-Clause */
/* The checks; which function reports what stands in the list of lint.h. */
#ifndef LINT_CHECKS_H
#define LINT_CHECKS_H

#include "lint-unit.h"

/* Each checks one function; functions with errors of the parser inside are left out. */
typedef void lint_check_function(struct lint_unit *unit, struct model_function *function);

lint_check_function lint_check_shared;
lint_check_function lint_check_dependence;
lint_check_function lint_check_place;
lint_check_function lint_check_tasks;
lint_check_function lint_check_privates;
lint_check_function lint_check_loop_change;
lint_check_function lint_check_nowait;
lint_check_function lint_check_spin;
lint_check_function lint_check_locks;
lint_check_function lint_check_declare_simd;
lint_check_function lint_check_default_none;

#endif
