/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * instrumented: 3
 *
 * What selects code: declare variant, dispatch, metadirective and interop (OpenMP 5.2, 7). The same
 * variant must be selected beside the calls of measurement; a metadirective's own is not measured,
 * since its variant is not known, but what stands in functions that it calls is.
 */
#include <omp.h>
#include <stdio.h>

static int in_parallel(int number);
static int dispatched(int number);

#pragma omp declare variant(in_parallel) match(construct = {parallel})
#pragma omp declare variant(dispatched) match(construct = {dispatch})
static int base(int number)
{
	return number;
}

static int in_parallel(int number)
{
	return number + 1000;
}

static int dispatched(int number)
{
	return number + 100;
}

static int team(void)
{
	int size = 0;

#pragma omp single copyprivate(size)
	size = omp_get_num_threads();
	return size;
}

int main(void)
{
	int outside = base(1), inside = 0, called = 0, chosen = 0, many = 8;
	omp_interop_t object = omp_interop_none;

#pragma omp parallel num_threads(2)
	{
#pragma omp critical
		inside = base(2);
	}
#pragma omp dispatch novariants(0)
	called = base(3);
#pragma omp dispatch novariants(1)
	outside = base(4);
#pragma omp metadirective when(user = {condition(many > 4)}                                        \
			       : parallel num_threads(3)) otherwise(nothing)
	{
		int size = team();
#pragma omp atomic write
		chosen = size;
	}
#pragma omp metadirective when(device = {kind(nohost)}                                             \
			       : barrier) when(implementation = {vendor(gnu)}                      \
					       : nothing)
#pragma omp interop init(targetsync : object) device(omp_initial_device)
#pragma omp interop destroy(object)
	printf("%d %d %d %d %d\n", outside, inside, called, chosen, object == omp_interop_none);
	return 0;
}
