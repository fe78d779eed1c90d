/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements that combine a variable with a value, as a reduction clause would. */
#ifndef LINT_REDUCTION_FORM_H
#define LINT_REDUCTION_FORM_H

#include "lint-unit.h"

/*
 * The statement by which the event combines its variable, and in *operation the reduction's name
 * ("+", "max"); NULL when it is no such statement. The variable stands nowhere else in it.
 */
struct tree *lint_reduction_form(const struct model_event *event, const char **operation);

/* How often the variable stands below the node. */
size_t lint_count_names(struct tree *node, const struct tree_variable *variable);

#endif
