/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Included before each file under test: the processor's clock, which no run may depend on, and its
 * pause become the checker's.
 */
#ifndef SUBJECT_H
#define SUBJECT_H
unsigned long check_cycles(void);
#define __builtin_ia32_rdtsc   check_cycles
#define __builtin_ia32_pause() ((void)0)
#endif
