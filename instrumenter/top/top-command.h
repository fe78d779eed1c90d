/* SPDX-License-Identifier: BSD-3-Clause */
/* `ompinst top`: what OpenMP programs do while they run. */
#ifndef TOP_COMMAND_H
#define TOP_COMMAND_H

/* words: those after "top", NULL-terminated. Returns the exit code. */
int top_main(const char *const *words);

#endif
