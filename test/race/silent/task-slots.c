/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: tied tasks count in a slot of the thread that executes them, and in a threadprivate
 * variable. A task without scheduling points has its thread for itself; a barrier stands before the
 * counts are added up. Threadprivate variables keep their values to the next region of the same
 * size.
 */
#include <omp.h>

static int slots[256];
static int own;
#pragma omp threadprivate(own)

int main(void)
{
	int made = 0, total = 0, own_total = 0;

	omp_set_dynamic(0);
#pragma omp parallel reduction(+ : made)
	{
		own = 0;
#pragma omp barrier
		for (int i = 0; i < 40; i++) {
#pragma omp task
			{
				slots[omp_get_thread_num()]++;
				own++;
			}
			made++;
		}
	}
#pragma omp parallel reduction(+ : total, own_total)
	{
		total += slots[omp_get_thread_num()];
		own_total += own;
	}
	return total != made || own_total != made;
}
