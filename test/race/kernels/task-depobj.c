/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: a depend object that was made for input is used by a task that writes.
 * The object's dependence type decides (OpenMP 5.2, 15.9.4): two tasks with in are not ordered. The
 * fixed one updates the object to inout first.
 */
#include <omp.h>

int main(void)
{
	int value = 0;
	omp_depend_t on_value;

#pragma omp depobj(on_value) depend(in : value)
#ifdef FIXED
#pragma omp depobj(on_value) update(inout)
#endif
#pragma omp parallel
#pragma omp single
	{
#pragma omp task depend(depobj : on_value) shared(value)
		value += 2; /* race: write value */
#pragma omp task depend(depobj : on_value) shared(value)
		value += 3; /* race: write value */
	}
#pragma omp depobj(on_value) destroy
	return value != 5;
}
