/* SPDX-License-Identifier: BSD-3-Clause */
/* `ompinst lint`. */
#ifndef LINT_MAIN_H
#define LINT_MAIN_H

/*
 * Checks what the words after `lint` name (NULL-terminated); `compiler` preprocesses files that are
 * given without one. Returns the exit code: 0 nothing found, 1 something found, 2 a mistake in the
 * words or a file that could not be checked.
 */
int lint_main(const char *const *words, const char *compiler);

#endif
