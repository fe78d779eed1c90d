/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Included before each file under test. The processor's clock, on which no run may depend, and its
 * pause become the checker's. So does the start of threads, because libgcc.a has its own
 * __wrap_pthread_create(), for segmented stacks.
 */
#ifndef SUBJECT_H
#define SUBJECT_H
unsigned long check_cycles(void);
#define __builtin_ia32_rdtsc   check_cycles
#define __builtin_ia32_pause() ((void)0)
#define pthread_create         check_pthread_create
#endif
