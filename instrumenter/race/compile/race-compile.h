/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `ompinst race COMPILER ARGUMENT...`: the user's command with the additions that finding data
 * races, or memory errors, needs.
 */
#ifndef RACE_COMPILE_H
#define RACE_COMPILE_H

#include <stdbool.h>

/* Is the word an option that may stand in front of the compiler: --memory? */
bool race_compile_has_option(const char *word);

/*
 * The words after `race`: an option or none, a compiler or a launcher such as ccache. Becomes
 * the compiler; returns an exit code only if the compiler cannot be run.
 */
int race_compile_main(const char *const *words);

#endif
