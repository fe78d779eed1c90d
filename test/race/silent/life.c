/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * taskloop: the game of life on a torus, two fields that change their parts in each generation.
 * One thread generates the rows' tasks; the end of each taskloop, which is that of a taskgroup,
 * orders the generations.
 */
enum { N = 32, GENERATIONS = 20 };

static char fields[2][N][N];

static void next_row(char (*from)[N], char (*to)[N], int row)
{
	int above = (row + N - 1) % N, below = (row + 1) % N;

	for (int j = 0; j < N; j++) {
		int left = (j + N - 1) % N, right = (j + 1) % N;
		int living = from[above][left] + from[above][j] + from[above][right] +
			     from[row][left] + from[row][right] + from[below][left] +
			     from[below][j] + from[below][right];

		to[row][j] = living == 3 || (living == 2 && from[row][j]);
	}
}

int main(void)
{
	static const int glider[5][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
	int living = 0, wrong = 0;

	for (int i = 0; i < 5; i++)
		fields[0][glider[i][0]][glider[i][1]] = 1;
#pragma omp parallel
#pragma omp single
	for (int generation = 0; generation < GENERATIONS; generation++) {
		char(*from)[N] = fields[generation % 2], (*to)[N] = fields[(generation + 1) % 2];

#pragma omp taskloop grainsize(4)
		for (int row = 0; row < N; row++)
			next_row(from, to, row);
	}
	/* A glider is the same one place further down and right after four generations. */
	for (int i = 0; i < 5; i++)
		wrong += !fields[0][glider[i][0] + GENERATIONS / 4][glider[i][1] + GENERATIONS / 4];
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			living += fields[0][i][j];
	return wrong != 0 || living != 5;
}
