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

/*
 * The data-sharing attribute of a variable in the construct around a line, if the user's compiler
 * reads the file with these flags (NULL-terminated): "shared: by default in the 'parallel for' of
 * line 12" (heap), or NULL if unknown.
 */
char *lint_find_sharing(const char *compiler, const char *const *flags, const char *file, int line,
    const char *variable);

#endif
