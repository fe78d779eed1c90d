/* SPDX-License-Identifier: BSD-3-Clause */
/* Compute constructs of OpenACC 2.6, 2.5 and 2.9, as gcc emits them: each runs once, on the host.
 */
#include <openacc.h>

#include "check.h"

enum { SIZE = 1000 };

#pragma acc routine seq
static int square(int value)
{
	return value * value;
}

#pragma acc routine vector
static void fill(int *array, int count, int value)
{
#pragma acc loop vector
	for (int i = 0; i < count; i++)
		array[i] = value;
}

/* Returns what it gets, unseen by the compiler: no construct is folded away. */
static int opaque(int value)
{
	volatile int result = value;

	return result;
}

static void check_loops(void)
{
	int array[SIZE], matrix[20][30], sum = 5, product = 1, largest = -1, all_bits = ~0, any = 0;
	double total = 0.5;
	int count = opaque(SIZE);

#pragma acc parallel loop copyout(array) num_gangs(8) num_workers(4) vector_length(32)
	for (int i = 0; i < count; i++)
		array[i] = square(i);
	for (int i = 0; i < SIZE; i++)
		CHECK_EQUAL(array[i], i * i);

#pragma acc kernels copy(array)
	for (int i = 0; i < count; i++)
		array[i] += 1;
	CHECK_EQUAL(array[SIZE - 1], (SIZE - 1) * (SIZE - 1) + 1);

#pragma acc serial copy(array)
	for (int i = 1; i < count; i++)
		array[i] = array[i - 1] + 1;
	CHECK_EQUAL(array[SIZE - 1], SIZE);

#pragma acc parallel loop gang worker vector reduction(+ : sum, total) reduction(max : largest) \
    reduction(& : all_bits) reduction(|| : any) copyin(array)
	for (int i = 0; i < count; i++) {
		sum += array[i];
		total += 0.25;
		largest = array[i] > largest ? array[i] : largest;
		all_bits &= array[i] | 4;
		any = any || array[i] == 500;
	}
	CHECK_EQUAL(sum, 5 + SIZE * (SIZE + 1) / 2);
	CHECK(total == 0.5 + 0.25 * SIZE);
	CHECK_EQUAL(largest, SIZE);
	CHECK_EQUAL(all_bits, 4);
	CHECK_EQUAL(any, 1);

#pragma acc parallel loop reduction(* : product)
	for (int i = 1; i <= 10; i++)
		product *= i;
	CHECK_EQUAL(product, 3628800);

#pragma acc parallel loop collapse(2) copyout(matrix)
	for (int i = 0; i < 20; i++)
		for (int j = 0; j < 30; j++)
			matrix[i][j] = i * 100 + j;
	CHECK_EQUAL(matrix[19][29], 1929);
	CHECK_EQUAL(matrix[7][11], 711);

#pragma acc parallel copy(matrix)
	{
#pragma acc loop gang
		for (int i = 0; i < 20; i++)
			fill(matrix[i], 30, i);
	}
	for (int i = 0; i < 20; i++)
		CHECK_ALL(matrix[i], 30, i);
}

struct triple {
	int values[3];
};

/* Private and firstprivate variables are the region's own: what it writes is not seen outside. */
static void check_privates(void)
{
	struct triple triple = {{1, 2, 3}};
	int array[40], scalar = 7, own = 11, seen = 0, absent = 0;
	double number = 2.5;

	for (int i = 0; i < 40; i++)
		array[i] = i;
#pragma acc parallel firstprivate(triple, array, scalar, number) private(own) copy(seen)
	{
		own = opaque(1);
		seen =
		    triple.values[2] == 3 && array[39] == 39 && scalar == 7 && number == 2.5 && own;
		triple.values[2] = array[39] = scalar = 0;
		number = 0;
	}
	CHECK_EQUAL(seen, 1);
	CHECK_EQUAL(triple.values[2], 3);
	CHECK_EQUAL(array[39], 39);
	CHECK_EQUAL(scalar, 7);
	CHECK(number == 2.5);
	CHECK_EQUAL(own, 11);

	/* Scalars are firstprivate in parallel and copied in kernels when no clause says (2.5). */
#pragma acc parallel
	absent = opaque(3);
	CHECK_EQUAL(absent, 0);
#pragma acc kernels
	absent = opaque(3);
	CHECK_EQUAL(absent, 3);
}

/* An if clause chooses between device and host, which are the same here: both run the region once.
 */
static void check_if(void)
{
	for (int condition = 0; condition < 2; condition++) {
		int runs = 0, on_host = 0;
#pragma acc parallel if (opaque(condition)) num_gangs(1) copy(runs, on_host)
		{
			runs++;
			on_host =
			    acc_on_device(acc_device_host) && !acc_on_device(acc_device_not_host);
		}
		CHECK_EQUAL(runs, 1);
		CHECK_EQUAL(on_host, 1);
	}
}

static void check_atomic(void)
{
	int counter = 0, captured = 0, bins[7] = {0};

#pragma acc parallel loop copy(counter, bins)
	for (int i = 0; i < 700; i++) {
#pragma acc atomic update
		counter += 2;
#pragma acc atomic update
		bins[i % 7]++;
	}
	CHECK_EQUAL(counter, 1400);
	CHECK_ALL(bins, 7, 100);
#pragma acc parallel copy(counter, captured) num_gangs(1)
#pragma acc atomic capture
	captured = counter++;
	CHECK_EQUAL(captured, 1400);
	CHECK_EQUAL(counter, 1401);
}

int main(void)
{
	check_loops();
	check_privates();
	check_if();
	check_atomic();
	return check_result();
}
