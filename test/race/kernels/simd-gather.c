/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simd: each element becomes its parent's value plus one, in a tree whose parents come first.
 * A lane may read its parent before another lane has written it (OpenMP 5.2, 10.4). The fixed loop
 * reads the values of the level before, from another array.
 */
enum { N = 127 };

static int parent[N], depth[N];
#ifdef FIXED
static int before[N];
#endif

int main(void)
{
	int wrong = 0;

	for (int i = 1; i < N; i++)
		parent[i] = (i - 1) / 2;
#ifdef FIXED
	for (int i = 1; i < N; i++)
		before[i] = before[parent[i]] + 1;
#endif
#pragma omp simd
	for (int i = 1; i < N; i++)
#ifdef FIXED
		depth[i] = before[parent[i]] + 1;
#else
		depth[i] = depth[parent[i]] + 1; /* race: write depth; race: read depth */
#endif
	wrong += depth[1] != 1 || depth[126] != 6;
	return wrong;
}
