/* SPDX-License-Identifier: BSD-3-Clause */
/* What OMP_TOOL_VERBOSE_INIT requests: a report on the search for a tool, line by line. */
#ifndef RT_TOOL_SEARCH_LOG_H
#define RT_TOOL_SEARCH_LOG_H
#include <stdbool.h>

/* Whether the variable's value names a file. */
bool rt_tool_log_is_file(const char *where);

/*
 * where: the variable's value; path: that of the file that it names. The log is opened before the
 * first line and closed after the last one.
 */
void rt_tool_log_open(const char *where, const char *path);
void rt_tool_log_close(void);

/* Writes one line if the variable requests it; otherwise returns false. */
bool rt_tool_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
