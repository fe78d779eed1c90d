/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: the product of two matrices by blocks, with collapsed loops over the blocks.
 * Each iteration of the collapsed loops writes a block of its own; the other two matrices are only
 * read.
 */
enum { N = 96, BLOCK = 16 };

static int a[N][N], b[N][N], c[N][N];

static void multiply_block(int row, int column)
{
	for (int inner = 0; inner < N; inner += BLOCK)
		for (int i = row; i < row + BLOCK; i++)
			for (int j = column; j < column + BLOCK; j++) {
				int sum = 0;

#pragma omp simd reduction(+ : sum)
				for (int k = inner; k < inner + BLOCK; k++)
					sum += a[i][k] * b[k][j];
				c[i][j] += sum;
			}
}

int main(void)
{
	int wrong = 0;

#pragma omp parallel
	{
#pragma omp for nowait
		for (int i = 0; i < N; i++)
			for (int j = 0; j < N; j++)
				a[i][j] = i + j;
#pragma omp for
		for (int i = 0; i < N; i++)
			for (int j = 0; j < N; j++)
				b[i][j] = i == j ? 2 : 0;
#pragma omp for collapse(2) schedule(dynamic)
		for (int row = 0; row < N; row += BLOCK)
			for (int column = 0; column < N; column += BLOCK)
				multiply_block(row, column);
	}
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			wrong += c[i][j] != 2 * (i + j);
	return wrong != 0;
}
