/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Included before each file under test: the processor's clock, which no run may depend on, and its
 * pause become the checker's; and the start of threads, because libgcc.a has a
 * __wrap_pthread_create() of its own, for stacks in segments.
 */
#ifndef SUBJECT_H
#define SUBJECT_H
unsigned long check_cycles(void);
#define __builtin_ia32_rdtsc   check_cycles
#define __builtin_ia32_pause() ((void)0)
#define pthread_create         check_pthread_create
#endif
