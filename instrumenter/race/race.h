/* SPDX-License-Identifier: BSD-3-Clause */
/* `ompinst race`: compiling for, and running to find data races. */
#ifndef RACE_H
#define RACE_H

/* The words behind `race`. Returns the exit code, unless it becomes a compiler. */
int race_main(const char *const *words);

#endif
