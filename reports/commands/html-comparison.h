/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of `ompreport html` about two sides, which html.c calls for several archives. */
#ifndef HTML_COMPARISON_H
#define HTML_COMPARISON_H

#include "command.h"

/* Returns the exit status. */
int html_compare(const struct options *options);

#endif
