/* SPDX-License-Identifier: BSD-3-Clause */
/* Every way out of a function, and the functions that have to stay as they are. */
#include <stdbool.h>
#include <stdio.h>

static int total;

__attribute__((no_instrument_function)) static int left_alone(int x)
{
	return x + 1;
}

static int returns(int x)
{
	if (x > 2)
		return x;
	for (;;)
		switch (x) {
		case 0:
			return 1;
		case 1:
			goto end;
		default:
			return returns(x + 1);
		}
end:
	return 4;
}

static void falls_off(int *p) { if (*p) ++*p; }

static void
two_lines(int *p)
{
	int a[*p + 1];

	a[0] = 1;
	*p += a[0] * (int)(sizeof a / sizeof *a);
}

inline int external(int x)
{
	return x + 2;
}
extern int external(int x);

int old_style(a, b) int a; char *b; { return a + b[0]; }

#pragma omp declare simd
static int vector(int x)
{
	return x * 2;
}

#pragma omp declare target
static int device(int x)
{
	return x * 3;
}
#pragma omp end declare target

#pragma pomp inst noinstrument
static int uninstrumented(int x)
{
	return x * 5;
}
#pragma pomp inst instrument

static int excluded_here(int x)
{
	return x * 7;
}

static int excluded_but_this(int x)
{
	return x * 7;
}

static int in_parallel(int n)
{
	int sum = 0;

#pragma omp parallel num_threads(2) default(none) shared(total, n) reduction(+:sum)
	{
		sum += returns(n);
#pragma omp single
		falls_off(&total);
	}
	return sum;
}

static int digraphs(void) <% return 3; %>

/* Its first word is a system header's macro. */
static bool truth(void)
{
	return true;
}

int main(int count, char **arguments)
{
	int x = count;

	(void)arguments;
	total = left_alone(returns(0) + returns(1) + returns(2));
	falls_off(&total);
	two_lines(&x);
	total += x + external(1) + old_style(1, "a") + vector(2) + device(3) + uninstrumented(4) +
		 excluded_here(5) + excluded_but_this(6);
	printf("%d %d\n", total, in_parallel(1));
	return truth() ? digraphs() : 0;
}
