/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: threads push onto a stack by compare and exchange; it is emptied by all at once.
 * The element is linked before the exchange with release publishes it; the exchange that takes the
 * whole stack acquires.
 */
#include <omp.h>
#include <stdbool.h>
#include <stddef.h>

struct element {
	struct element *next;
	int value;
};

static struct element elements[400];
static struct element *top;

static void push(struct element *element)
{
	struct element *expected = __atomic_load_n(&top, __ATOMIC_RELAXED);

	do
		element->next = expected;
	while (!__atomic_compare_exchange_n(
	    &top, &expected, element, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

static long take_all(void)
{
	struct element *element = __atomic_exchange_n(&top, NULL, __ATOMIC_ACQUIRE);
	long sum = 0;

	for (; element != NULL; element = element->next) {
		sum += element->value;
		element->value = 0;
	}
	return sum;
}

int main(void)
{
	long sum = 0;

#pragma omp parallel reduction(+ : sum)
	{
#pragma omp for schedule(static, 1)
		for (int i = 0; i < 400; i++) {
			elements[i].value = i;
			push(&elements[i]);
			if (i % 50 == 49)
				sum += take_all();
		}
		sum += take_all();
	}
	return sum != 79800;
}
