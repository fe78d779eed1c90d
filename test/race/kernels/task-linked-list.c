/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: a task for each element of a list, where each one also writes its successor.
 * Neighbouring elements have different tasks, and nothing orders them (OpenMP 5.2, 12.5). The
 * fixed task writes its own element only; the sums over neighbours come behind the taskwait.
 */
#include <stddef.h>

struct element {
	struct element *next;
	int value;
};

int main(void)
{
	struct element list[20];
	int total = 0;

	for (int i = 0; i < 20; i++)
		list[i] = (struct element){i < 19 ? &list[i + 1] : NULL, 1};
#pragma omp parallel
#pragma omp single
	{
		for (struct element *e = list; e != NULL; e = e->next) {
#pragma omp task firstprivate(e)
			{
				e->value += 10; /* race: write value */
#ifndef FIXED
				if (e->next != NULL)
					e->next->value += 1; /* race: write value */
#endif
			}
		}
#pragma omp taskwait
#ifdef FIXED
		for (struct element *e = list; e->next != NULL; e = e->next)
			e->next->value += 1;
#endif
	}
	for (int i = 0; i < 20; i++)
		total += list[i].value;
	return total != 239;
}
