/* SPDX-License-Identifier: BSD-3-Clause */
/* `ompinst why` and `ompinst stacks`: what a process or a core file is doing. */
#ifndef INSPECT_COMMAND_H
#define INSPECT_COMMAND_H

/* command: "why" or "stacks". words: those after it, NULL-terminated. Returns the exit code. */
int inspect_main(const char *command, const char *const *words);

#endif
