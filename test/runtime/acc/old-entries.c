/* SPDX-License-Identifier: BSD-3-Clause */
/* Entry points that gcc 12 does not emit from C: those of gcc 5's OpenACC, and a declare in a
 * procedure. */
#include <stddef.h>

#include "check.h"

void GOACC_parallel(int flags, void (*fn)(void *), size_t count, void **addresses, size_t *sizes,
    unsigned short *kinds, int gangs, int workers, int vector_length, int queue, int waits, ...);
void GOACC_data_start(
    int flags, size_t count, void **addresses, size_t *sizes, unsigned short *kinds);
void GOACC_data_end(void);
void GOACC_declare(int flags, size_t count, void **addresses, size_t *sizes, unsigned short *kinds);
void GOACC_enter_exit_data(int flags, size_t count, void **addresses, size_t *sizes,
    unsigned short *kinds, int queue, int waits, ...);
int GOACC_get_num_threads(void);
int GOACC_get_thread_num(void);

enum { SIZE = 37, KIND_TOFROM = 0x203 };

struct variables {
	int *array, *runs;
};

/* What gcc 5 made of a loop shared among all threads: each takes its part, by its number. */
static void outlined(void *data)
{
	const struct variables *variables = data;
	int threads = GOACC_get_num_threads();

	CHECK(threads >= 1);
	CHECK(GOACC_get_thread_num() >= 0 && GOACC_get_thread_num() < threads);
	for (int i = GOACC_get_thread_num(); i < SIZE; i += threads)
		variables->array[i]++;
	++*variables->runs;
}

int main(void)
{
	int array[SIZE] = {0}, runs = 0;
	void *addresses[] = {array, &runs};
	size_t sizes[] = {sizeof(array), sizeof(runs)};
	unsigned short kinds[] = {KIND_TOFROM, KIND_TOFROM};

	GOACC_declare(-1, 2, addresses, sizes, kinds);
	GOACC_enter_exit_data(-1, 2, addresses, sizes, kinds, 1, 2, 3, 4);
	GOACC_data_start(-1, 2, addresses, sizes, kinds);
	GOACC_parallel(-1, outlined, 2, addresses, sizes, kinds, 4, 2, 32, 1, 2, 3, 4);
	GOACC_parallel(-2, outlined, 2, addresses, sizes, kinds, 0, 0, 0, -2, 0);
	GOACC_data_end();
	GOACC_enter_exit_data(-1, 2, addresses, sizes, kinds, -2, 0);
	CHECK_ALL(array, SIZE, 2);
	CHECK_EQUAL(runs, 2);
	CHECK(addresses[0] == array && addresses[1] == &runs);
	return check_result();
}
