/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

struct pair { int a, b; };

static int add(struct pair pair) { return pair.a + pair.b; }

int main(void)
{
	int x = 0, y = 0;

#pragma omp parallel num_threads(1)
	do
		x++;
	while (x < 3);
#pragma omp parallel num_threads(1)
	if (x == 3)
		x = 10;
	else if (x == 4)
		x = 11;
	else
		x = 12;
#pragma omp parallel num_threads(1)
	while (x < 20)
		for (int i = 0; i < 2; i++)
			x++;
#pragma omp parallel num_threads(1)
	switch (x) {
	case 20: x = 21; break;
	default: x = 1; }
#pragma omp parallel num_threads(1)
	x += ({ int s = 0; for (int i = 0; i < 3; i++) { s += i; } s; });
#pragma omp parallel num_threads(1)
	y = add((struct pair){.a = 1, .b = 2});
#pragma omp parallel num_threads(1)
	;
#pragma omp parallel num_threads(1)
	y++;
	goto after;
after:
#pragma omp parallel num_threads(1)
	y++;
	switch (y) {
	case 5:
#pragma omp parallel num_threads(1)
		y++;
	case 6:
#pragma omp critical
		y++; break;
	}
	if (x)
#pragma omp parallel num_threads(1)
#pragma omp for
		for (int i = 0; i < 3; i++)
			y++;
	else
		y = 0;
	do
#pragma omp critical
		{ y++; }
	while (y < 20);
	printf("%d %d %s\n", x, y, "} ) ; // /* ");
	return 0;
}
