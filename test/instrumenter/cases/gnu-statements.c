/* SPDX-License-Identifier: BSD-3-Clause */
/* The compilers' own kinds of statements and expressions, as bodies and around them. */
#include <stdio.h>

static int computed(int x)
{
	static const void *const labels[] = {&&one, &&two, &&out};
	int r = 0;

	goto *labels[x];
one:
#pragma omp critical
	r += 1;
two:
#pragma omp atomic
	r += 10;
out:
	return r;
}

static int ranges(int x)
{
	switch (x) {
	case 0 ... 3:
#pragma omp critical
		x++;
		break;
	case 4:
		__attribute__((__fallthrough__));
	default:
#pragma omp parallel num_threads(2)
#pragma omp single
		x = ({ __auto_type y = x; do y += 2; while (y < 20); y; });
	}
	return x;
}

static int assembler(int x)
{
#pragma omp parallel num_threads(2)
#pragma omp critical
	__asm__ volatile("/* { ( \" */" : "+r"(x) : : "cc");
#pragma omp parallel num_threads(1)
	do {
		x++;
	} while (x < 5);
	return x;
}

static int expressions(int x)
{
	struct point { int x, y; } p = {1, 2};

#pragma omp parallel num_threads(2)
#pragma omp single
	p = (struct point){.x = _Generic(x, int: 3, default: 4), .y = x ?: 7};
#pragma omp parallel sections num_threads(2)
	{
		p.x += __builtin_choose_expr(sizeof(int) == 4, 1, "no");
#pragma omp section
		p.y += (__extension__({ int t = p.y; t * 2; }));
	}
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 4; i++) {
		int vla[x + i + 1];

		vla[i] = i;
#pragma omp atomic
		p.x += vla[i];
	}
	if (x)
#pragma omp critical
		p.x += 100;
	else if (p.y)
#pragma omp critical
		p.x += 200;
	else
#pragma omp parallel num_threads(1)
		p.x += 300;
	return p.x * 1000 + p.y;
}

int main(void)
{
	printf("%d %d %d\n", computed(0), computed(1), computed(2));
	printf("%d %d %d %d\n", ranges(1), ranges(5), assembler(0), expressions(0));
	return 0;
}
