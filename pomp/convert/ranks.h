/* SPDX-License-Identifier: BSD-3-Clause */
/* The conversion of the folder that the ranks of one program share. */
#ifndef RANKS_H
#define RANKS_H

#include "shared/trace-convert.h"

/* Whether the folder is one, with logs still to be converted. */
bool convert_is_of_ranks(const char *folder);

/* By this process alone, one rank after the other: as trace_convert(). */
int convert_ranks(const char *folder, struct trace_conversion *conversion, char **error);

#endif
