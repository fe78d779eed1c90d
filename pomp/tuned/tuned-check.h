/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the environment has the settings that `ompinst tune` has found: POMP_TUNED. */
#ifndef TUNED_CHECK_H
#define TUNED_CHECK_H

#include <stdio.h>

/*
 * Compares the variables of the file (shared/tuned-file.h) with the environment, and prints one
 * line if some differ, or if the file cannot be read. It sets none: the OpenMP runtime and malloc
 * have read theirs when the process started.
 */
void pomp_tuned_check(const char *path, FILE *messages);

#endif
