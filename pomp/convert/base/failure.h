/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes why a conversion failed. */
#ifndef FAILURE_H
#define FAILURE_H

/* Stores "place: what" in *error (heap, or NULL when memory ran out). Returns -1. */
int convert_fail(char **error, const char *place, const char *what);

#endif
