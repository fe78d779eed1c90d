/* SPDX-License-Identifier: BSD-3-Clause */
/* `ompinst run PROGRAM`: becomes the program, with what measures it attached. */
#ifndef LAUNCH_H
#define LAUNCH_H

/*
 * Runs the program named by the words after `run`. Returns an exit code, and only if the program
 * could not be run.
 */
int launch_main(const char *const *words);

#endif
