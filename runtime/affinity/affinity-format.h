/* SPDX-License-Identifier: BSD-3-Clause */
/* The affinity format (OpenMP 5.1, 6.14), applied to the calling thread, `self`. */
#ifndef RT_AFFINITY_FORMAT_H
#define RT_AFFINITY_FORMAT_H
#include <stdbool.h>
#include <stddef.h>

#include "text.h"

struct rt_thread;

/* Appends the text of a format; NULL and "" mean affinity-format-var. */
void rt_affinity_expand(const struct rt_thread *self, const char *format, struct rt_text *out);

/*
 * Prints the same as one line on stderr. A member that enters a region of a team with
 * shows_affinity passes NULL.
 */
void rt_affinity_display(const struct rt_thread *self, const char *format);

/* affinity-format-var, for any thread: sets it (false: no memory for the copy), and appends it. */
bool rt_affinity_format_set(const char *format, size_t length);
void rt_affinity_format_get(struct rt_text *out);

#endif
