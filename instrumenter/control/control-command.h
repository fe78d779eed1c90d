/* SPDX-License-Identifier: BSD-3-Clause */
/* `ompinst control`: changes settings of a running program. */
#ifndef CONTROL_COMMAND_H
#define CONTROL_COMMAND_H

/* words: those after "control", NULL-terminated. Returns the exit code. */
int control_main(const char *const *words);

#endif
