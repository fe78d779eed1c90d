// SPDX-License-Identifier: BSD-3-Clause
// Directives in attributes mean what the same pragmas would mean.
#include <cstdio>

#define PARALLEL   [[omp::directive(parallel num_threads(2))]]
#define DIRECTIVES(clauses) [[omp::sequence(directive(parallel), directive(for clauses))]]

static int counter;
#pragma omp threadprivate(counter)

[[omp::directive(declare simd)]] static int twice(int x)
{
	return 2 * x;
}

static int standing_alone(bool some)
{
	int x = 0;

	[[omp::directive(parallel num_threads(2) default(none) shared(x, some))]]
	{
		if (some) {
			[[omp::directive(barrier)]];
		} else {
			[[omp::sequence(directive(flush), omp::directive(taskyield))]] ;
		}
		[[using omp: directive(critical(name))]] x += 1;
		[[omp::directive(taskwait)]]; [[omp::directive(barrier)]];
		[[omp::directive(single)]] { x += 10; }
	}
	return x;
}

static int branches(int x)
{
	if (x > 2)
		[[omp::directive(critical(a))]] x++;
	else
		[[omp::directive(critical(b))]]
		x--;
	while (x < 5) [[omp::directive(atomic)]] x++;
	return x;
}

static int sections()
{
	int found[3] = {0, 0, 0};

	[[omp::directive(parallel sections num_threads(2))]]
	{
		found[0] = 1;
		[[omp::directive(section)]]
		found[1] = 2;
		[[omp::directive(section)]] {
			found[2] = 3;
		}
	}
	return found[0] + found[1] + found[2];
}

int main()
{
	int x = 0, a[4] = {0, 1, 2, 3};

	PARALLEL
	{
#pragma omp atomic
		x++;
	}
	[[maybe_unused]] int y = a[a[1]];
	[[omp::sequence(omp::directive(parallel num_threads(2)), omp::directive(critical))]]
	x++;
#pragma omp parallel num_threads(2)
	{
		[[omp::directive(for reduction(+:x)
		    schedule(static, 1))]]
		for (int i = 0; i < 4; i++)
			x += a[i];
	}
	DIRECTIVES(reduction(+:x)) for (int &value : a)
		x += value;
	[[omp::sequence(omp::sequence(directive(parallel num_threads(1))), directive(simd reduction(+:x)))]]
	for (int i = 0; i < 1; i++)
		x += 0 * twice(a[i]);
	for (int i = 0; i < 3; i++)
		[[unlikely, omp::directive(critical)]] counter += 1;
	std::printf("%d %d %d %d %d\n", x, standing_alone(true), standing_alone(false),
	    branches(x), sections());
	return counter != 3;
}
