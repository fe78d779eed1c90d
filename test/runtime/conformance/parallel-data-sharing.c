/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * private, firstprivate and shared in a parallel region: a private copy per thread that no other
 * thread writes, initialised from the original only when firstprivate; the original keeps its
 * value. OpenMP 5.1, 2.21.4.
 */
#include <omp.h>

#include "check.h"

#undef stderr /* a clause takes a variable, where it is a macro, too */

struct block {
	int values[37];
	char *text;
};

int main(void)
{
	int threads = omp_get_max_threads();
	int private_one = 11;
	int first_one = 22;
	int shared_one = 33;
	struct block whole = {.text = "kept"};
	int lengths[16];
	int distinct = 0;
	int *addresses[64] = {NULL};

	for (int i = 0; i < 37; i++)
		whole.values[i] = i * i;
	for (int i = 0; i < 16; i++)
		lengths[i] = -i;
#pragma omp parallel default(none) private(private_one) firstprivate(first_one, whole, lengths)    \
    shared(shared_one, addresses, stderr, check_failures, threads)
	{
		int number = omp_get_thread_num();

		private_one = number;
		CHECK_EQUAL(first_one, 22);
		first_one += number;
		CHECK(strcmp(whole.text, "kept") == 0);
		for (int i = 0; i < 37; i++) {
			CHECK_EQUAL(whole.values[i], i * i);
			whole.values[i] = number;
		}
		for (int i = 0; i < 16; i++)
			CHECK_EQUAL(lengths[i], -i);
		lengths[number % 16] = 1000;
		if (number < 64)
			addresses[number] = &private_one;
		count(&shared_one);
#pragma omp barrier
		CHECK_EQUAL(private_one, number);
		CHECK_EQUAL(first_one, 22 + number);
		CHECK_EQUAL(whole.values[36], number);
		CHECK_EQUAL(shared_one, 33 + threads);
	}
	CHECK_EQUAL(private_one, 11);
	CHECK_EQUAL(first_one, 22);
	CHECK_EQUAL(whole.values[36], 36 * 36);
	CHECK_EQUAL(lengths[3], -3);
	for (int i = 0; i < threads && i < 64; i++)
		for (int j = 0; j < i; j++)
			distinct += addresses[i] != addresses[j];
	if (threads <= 64)
		CHECK_EQUAL(distinct, threads * (threads - 1) / 2);
	return check_result();
}
