/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

#pragma omp declare target
static int on_device(int x)
{
	int y = x;
#pragma omp atomic
	y++;
	return y;
}
#pragma omp end declare target

static int listed(int x);
#pragma omp declare target to(listed)
static int listed(int x)
{
#pragma omp critical
	x++;
	return x;
}

int main(void)
{
	int x = 1, a[8] = {0};

#pragma omp target map(tofrom: x)
	{
		x = on_device(listed(x));
#pragma omp parallel
#pragma omp critical
		x += 0;
	}
#pragma omp target teams distribute parallel for map(tofrom: a)
	for (int i = 0; i < 8; i++)
		a[i] = i;
#pragma omp teams num_teams(1)
#pragma omp distribute
	for (int i = 0; i < 8; i++)
		a[i]++;
#pragma omp target data map(tofrom: x)
	{
#pragma omp parallel
#pragma omp single
		x++;
#pragma omp target update from(x)
	}
	printf("%d %d\n", x, a[7]);
	return 0;
}
