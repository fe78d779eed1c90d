/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `ompinst race COMPILER ARGUMENT...`: the user's command with the additions that finding data
 * races needs.
 */
#ifndef RACE_COMPILE_H
#define RACE_COMPILE_H

/*
 * The words after `race`, of which the first is a compiler or a launcher such as ccache. Becomes
 * the compiler; returns an exit code only if the compiler cannot be run.
 */
int race_compile_main(const char *const *words);

#endif
