/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages: whole lines on stderr, at start-up, exit and fatal errors, at no other time. */
#ifndef RT_MESSAGE_H
#define RT_MESSAGE_H
#include <stddef.h>

/* Writes "runtime: ", the text and a line end in one system call; errno is kept. */
void rt_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Prints why the process cannot continue, like rt_message(), and aborts it. Nothing else in the
 * runtime calls abort(), so there is always a reason on stderr.
 */
_Noreturn void rt_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes text as it is, of any length. */
void rt_message_text(const char *text, size_t length);

#endif
