/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * instrumented: 5
 *
 * C23, which is what gcc 15 and newer compile where no standard is asked for: its keywords in and
 * around directives, in declarations that the constructs need and in expressions of clauses.
 */
#include <stdio.h>

constexpr int COUNT = 64;
enum colour : unsigned char { RED, GREEN };
static_assert(sizeof(enum colour) == 1);
static thread_local int own = 0;

/* Without names, which older standards ask for. */
static int first([[maybe_unused]] int, int second)
{
	return second;
}

static bool odd(int number)
{
	return (number & 0b1) != 0;
}

/* What older standards take for any arguments. */
static int nothing()
{
	return 0;
}

static int sum(const int *values)
{
	auto total = 0;

	if (values == nullptr)
		return -1;
#pragma omp parallel for reduction(+ : total) if (values != nullptr) num_threads(4)
	for (auto i = 0; i < COUNT; i++)
		total += odd(i) ? values[i] : 0;
	return total;
}

int main()
{
	int values[COUNT] = {};
	_BitInt(40) large = 1'000'000;
	typeof(values[0]) last = 0;
	bool done = false;

#pragma omp parallel num_threads(2) shared(values, large, last, done)
	{
		own = 1;
#pragma omp for lastprivate(last)
		for (int i = 0; i < COUNT; i++) {
			values[i] = first(0, i) + nothing();
			last = values[i];
		}
#pragma omp single
		{
			large += own + (typeof(large))last;
			goto end;
			[[maybe_unused]] int unused;
		end:
		}
#pragma omp critical
		done = true;
	}
	printf("%d %d %d %d %d\n", sum(values), sum(nullptr), (int)large, last, done);
	return 0;
}
