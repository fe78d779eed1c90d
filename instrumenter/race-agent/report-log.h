/* SPDX-License-Identifier: BSD-3-Clause */
/* The log of the process, which shared/race-log.h describes. */
#ifndef REPORT_LOG_H
#define REPORT_LOG_H

#include "report-text.h"

#include <stdbool.h>
#include <stddef.h>

/* In which folder the log is, and whether it is begun at once. Called once, while the process has
 * one thread. */
void report_log_begin(const char *folder, size_t length, bool at_once);

/* In a child of fork(): another thread may have been writing. */
void report_log_begin_child(void);

bool report_log_is_wanted(void);

/* The text becomes one piece of the log; false: there is no log. By one thread or several. */
bool report_write(const struct report_text *text);

#endif
