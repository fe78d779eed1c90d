/* SPDX-License-Identifier: BSD-3-Clause */
/* `ompinst snapshot`: the profile of a running program. */
#ifndef SNAPSHOT_COMMAND_H
#define SNAPSHOT_COMMAND_H

/* words: those after "snapshot", NULL-terminated. Returns the exit code. */
int snapshot_main(const char *const *words);

#endif
