/* SPDX-License-Identifier: BSD-3-Clause */
/* `ompinst sharing ...`. */
#ifndef SHARING_COMMAND_H
#define SHARING_COMMAND_H

/* The words after `sharing`. Returns the exit code, or becomes a compiler. */
int sharing_main(const char *const *words);

#endif
