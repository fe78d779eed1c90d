/* SPDX-License-Identifier: BSD-3-Clause */
/* `ompinst machine`. */
#ifndef MACHINE_COMMAND_H
#define MACHINE_COMMAND_H

/* Runs it with the words behind `machine`. Returns the exit code: 0, or 2 without figures. */
int machine_main(const char *const *words);

#endif
