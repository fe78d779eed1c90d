/* SPDX-License-Identifier: BSD-3-Clause */
/* Why a conversion fails, in words. */
#ifndef FAILURE_H
#define FAILURE_H

/* "place: what" in *error, heap, or NULL when memory ran out. Returns -1. */
int convert_fail(char **error, const char *place, const char *what);

#endif
