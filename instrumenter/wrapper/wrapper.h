/* SPDX-License-Identifier: BSD-3-Clause */
/* The wrapper: `ompinst gcc -fopenmp -c file.c`. */
#ifndef WRAPPER_H
#define WRAPPER_H

#include "options.h"

/* Runs the compiler vector[0] with the other words, and instruments; returns the exit code. */
int wrapper_main(const struct options *options, const char *const *vector);

#endif
