/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHARED_TRACE_NAME_H
#define SHARED_TRACE_NAME_H

/*
 * Returns the name of a construct's region in the trace: "!$omp critical(sum) sblock @file.c:6".
 * `before` and `after` are placed around the construct, for instance "create " and " sblock". Heap,
 * NULL when memory ran out.
 */
char *trace_name(const char *before, const char *construct, const char *sub_name, const char *after,
    const char *file, int line);

#endif
