/* SPDX-License-Identifier: BSD-3-Clause */
/* The runtime's voice: whole lines on stderr, for start-up, exit and fatal errors, never in
 * between. */
#ifndef RT_MESSAGE_H
#define RT_MESSAGE_H

#include <stddef.h>

/* Writes "runtime: ", the text and a line end in one system call; errno is kept. */
void rt_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Says why the process cannot go on, as rt_message() does, and aborts it. Nothing else in the
 * runtime calls abort(): the program's owner always learns the reason.
 */
_Noreturn void rt_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes text as it is, of any length. */
void rt_message_text(const char *text, size_t length);

#endif
