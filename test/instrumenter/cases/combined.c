/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

enum { N = 64 };
static int t;
#pragma omp threadprivate(t)

int main(void)
{
	int a[N], sum = 0, product = 1, last = 0, first = 5, priv = 0, step = 0;
	float f[N];

	t = 3;
#pragma omp parallel for if(1) num_threads(2) copyin(t) private(priv) firstprivate(first) \
    lastprivate(last) reduction(+:sum) schedule(static, 3) proc_bind(close)
	for (int i = 0; i < N; i++) {
		priv = i + first + t;
		a[i] = priv;
		sum += priv;
		last = i;
	}
	printf("%d %d\n", sum, last);
#pragma omp parallel for firstprivate(last) lastprivate(last)
	for (int i = 0; i < N; i++)
		last = a[i];
	printf("%d\n", last);
#pragma omp parallel for simd reduction(+:sum) private(priv) linear(step:2) simdlen(4)
	for (int i = 0; i < N; i++) {
		priv = step;
		f[i] = priv;
		sum += 1;
		step += 2;
	}
	printf("%d %g %d\n", sum, f[N - 1], step);
#pragma omp parallel sections reduction(*:product)
	{
		product *= 2;
#pragma omp section
		product *= 3;
#pragma omp section
		{ product *= 5; }
	}
	printf("%d\n", product);
#pragma omp parallel for default(none) shared(a) reduction(inscan, +:sum)
	for (int i = 0; i < N; i++) {
		sum += i;
#pragma omp scan inclusive(sum)
		a[i] = sum;
	}
	printf("%d\n", a[N - 1] - sum);
#pragma omp parallel for ordered collapse(1)
	for (int i = 0; i < 3; i++)
#pragma omp ordered
		printf("%d\n", i);
#pragma omp parallel for simd if(sum > 0)
	for (int i = 0; i < N; i++)
		f[i] = 0;
	printf("%d\n", sum);
	return 0;
}
