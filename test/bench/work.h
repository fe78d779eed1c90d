/* SPDX-License-Identifier: BSD-3-Clause */
/* Processor time that benchmarks spend. */
#ifndef WORK_H
#define WORK_H

/* Never left out, nor computed once for all: the compiler does not know what becomes of the value.
 */
static inline void work(int turns)
{
	double value = 2;

	for (int i = 0; i < turns; i++)
		value = value * 0.999999 + 1e-6;
	__asm__ volatile("" : "+m"(value));
}

#endif
