/* SPDX-License-Identifier: BSD-3-Clause */
/* Eleven simulations of a queue with growing load: few iterations, tens of milliseconds each. */
#include "chance.h"

#include <stdio.h>

enum { LOADS = 11, CUSTOMERS = 5000000 };

static double mean_wait(double load)
{
	uint64_t state = 9;
	double wait = 0, sum = 0;

	for (int i = 0; i < (int)(CUSTOMERS * (0.5 + load)); i++) {
		double service = 2 * load * chance_real(&state), arrival = 2 * chance_real(&state);
		wait = wait + service > arrival ? wait + service - arrival : 0;
		sum += wait;
	}
	return sum / CUSTOMERS;
}

int main(void)
{
	double waits[LOADS], total = 0;

#pragma omp parallel for schedule(dynamic, 1) // @loop
	for (int i = 0; i < LOADS; i++)
		waits[i] = mean_wait(0.4 + 0.05 * i);
	for (int i = 0; i < LOADS; i++)
		total += waits[i];
	printf("%.6f\n", total);
	return 0;
}
