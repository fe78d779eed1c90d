/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

static int early(int x)
{
#pragma pomp inst begin(early)
	if (x > 2) {
#pragma pomp inst altend(early)
		return 1;
	}
#pragma pomp inst end(early)
	return 0;
}

int main(void)
{
	int sum = 0;

#pragma pomp inst init
#pragma pomp inst begin(whole)
#pragma pomp inst begin(inner)
	for (int i = 0; i < 5; i++)
		sum += early(i);
#pragma pomp inst end(inner)
#pragma pomp inst off
	sum++;
#pragma pomp inst on
	switch (sum) {
	case 3:
#pragma pomp inst begin(case)
		sum *= 2;
#pragma pomp inst end(case)
		break;
	}
	if (sum)
#pragma pomp inst begin(not here)
		sum++;
#pragma pomp inst end(not here)
#pragma pomp inst end(never begun)
#pragma pomp inst begin(never ended)
#pragma pomp inst noinstrument
#pragma omp parallel
#pragma omp critical
	sum += 0;
#pragma pomp inst begin(unseen)
#pragma pomp inst end(unseen)
#pragma pomp inst instrument
#pragma omp parallel
	{
	}
#pragma pomp inst nonsense
#pragma pomp inst end(whole)
	printf("%d\n", sum);
#pragma pomp inst finalize
	return 0;
}
