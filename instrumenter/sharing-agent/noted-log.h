/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what the process has found to its log. */
#ifndef SHARING_NOTED_LOG_H
#define SHARING_NOTED_LOG_H

#include <stdbool.h>

/* The log's folder, up to a comma, and when the program has begun. */
void noted_log_begin(const char *folder);

/* In place of the log: nothing can be noted, because the address space cannot be had. */
void noted_log_refuse(void);

/* Once, when the program ends; at_signal: in a signal handler. */
void noted_log_write(bool at_signal);

#endif
