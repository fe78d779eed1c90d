/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements that combine a variable with a value, as a reduction clause would. */
#ifndef LINT_REDUCTION_FORM_H
#define LINT_REDUCTION_FORM_H

#include "lint-unit.h"

/*
 * The statement with which the event combines its variable with a value; *operation becomes the
 * reduction's name ("+", "max"). NULL if the event is not part of such a statement, or if the
 * variable appears elsewhere in it.
 */
struct tree *lint_reduction_form(const struct model_event *event, const char **operation);

/* How often the variable appears below the node. */
size_t lint_count_names(struct tree *node, const struct tree_variable *variable);

#endif
