/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduction on parallel: every predefined operator, with the original's value taking part, on
 * scalars of several types. OpenMP 5.1, 2.21.5.4 and table 2.11.
 */
#include <complex.h>
#include <omp.h>

#include "check.h"

static void integers(int threads)
{
	long sum = 100;
	long product = 3;
	unsigned bits_and = ~0u;
	unsigned bits_or = 1u << 31;
	unsigned bits_xor = 0x5a5a5a5a;
	unsigned expected_xor = 0x5a5a5a5a;
	int all = 1;
	int any = 0;
	short smallest = 30000;
	unsigned char largest = 3;

#pragma omp parallel reduction(+ : sum) reduction(* : product) reduction(& : bits_and)           \
    reduction(| : bits_or) reduction(^ : bits_xor) reduction(&& : all) reduction(|| : any)       \
    reduction(min : smallest) reduction(max : largest)
	{
		int number = omp_get_thread_num();

		sum += number + 1;
		product *= number < 10 ? 2 : 1;
		bits_and &= ~(1u << (number % 31));
		bits_or |= 1u << (number % 31);
		bits_xor ^= 0x1010101u * (unsigned)(number % 251);
		all = all && number >= 0;
		any = any || number == omp_get_num_threads() - 1;
		if (smallest > -number)
			smallest = (short)-number;
		if (largest < number + 4)
			largest = (unsigned char)(number + 4);
	}
	for (int i = 0; i < threads; i++)
		expected_xor ^= 0x1010101u * (unsigned)(i % 251);
	CHECK_EQUAL(sum, 100 + (long)threads * (threads + 1) / 2);
	CHECK_EQUAL(product, 3L << (threads < 10 ? threads : 10));
	CHECK_EQUAL(bits_and, ~(threads >= 31 ? 0x7fffffffu : (1u << threads) - 1));
	CHECK_EQUAL(bits_or, 1u << 31 | (threads >= 31 ? 0x7fffffffu : (1u << threads) - 1));
	CHECK_EQUAL(bits_xor, expected_xor);
	CHECK_EQUAL(all, 1);
	CHECK_EQUAL(any, 1);
	CHECK_EQUAL(smallest, 1 - threads);
	CHECK_EQUAL(largest, threads + 3);
}

static void floating(int threads)
{
	float sum = 0.5f;
	double product = 1;
	long double low = 1e30L;
	double high = -1e30;
	double complex turning = 1;
	double minus = 7;

#pragma omp parallel reduction(+ : sum) reduction(* : product, turning) reduction(min : low)     \
    reduction(max : high) reduction(- : minus)
	{
		int number = omp_get_thread_num();

		sum += 1;
		product *= 0.5;
		turning *= I;
		low = low < 2.0L - number ? low : 2.0L - number;
		high = high > number ? high : number;
		minus -= 2;
	}
	CHECK(sum == 0.5f + (float)threads);
	for (int i = 0; i < threads; i++)
		product *= 2;
	CHECK(product == 1);
	CHECK(low == 2.0L - (threads - 1));
	CHECK(high == threads - 1);
	CHECK(minus == 7 - 2.0 * threads);
	CHECK_EQUAL(creal(turning), threads % 4 == 0 ? 1 : threads % 4 == 2 ? -1 : 0);
	CHECK_EQUAL(cimag(turning), threads % 4 == 1 ? 1 : threads % 4 == 3 ? -1 : 0);
}

int main(void)
{
	int threads = omp_get_max_threads();

	omp_set_dynamic(0);
	for (int i = 0; i < 20; i++) {
		integers(threads);
		floating(threads);
	}
	return check_result();
}
