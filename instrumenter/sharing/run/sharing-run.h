/* SPDX-License-Identifier: BSD-3-Clause */
/* `ompinst sharing run [options] PROGRAM ARGUMENT...`. */
#ifndef SHARING_RUN_H
#define SHARING_RUN_H

/* The words after `run`. Returns the exit code. */
int sharing_run_main(const char *const *words);

#endif
