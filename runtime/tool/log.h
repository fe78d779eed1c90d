/* SPDX-License-Identifier: BSD-3-Clause */
/* What OMP_TOOL_VERBOSE_INIT asks for: how the search for a tool went, line by line. */
#ifndef RT_TOOL_LOG_H
#define RT_TOOL_LOG_H
#include <stdbool.h>

/* Whether the variable's value names a file. */
bool rt_tool_log_is_file(const char *where);

/*
 * where: the variable's value; path: of the file that it names. Opened before the first line,
 * closed after the last one.
 */
void rt_tool_log_open(const char *where, const char *path);
void rt_tool_log_close(void);

/* One line, if the variable asks for it; else false. */
bool rt_tool_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
