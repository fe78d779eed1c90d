/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the placements of queens with a task for each: tasks in tasks, taskwait, if and final. */
#include <stdio.h>
#include <stdlib.h>

static int is_safe(const char *rows, int column, int row)
{
	for (int i = 0; i < column; i++)
		if (rows[i] == row || abs(rows[i] - row) == column - i)
			return 0;
	return 1;
}

static long place(int size, int column, const char *rows)
{
	long counts[16] = {0}, sum = 0;

	if (column == size)
		return 1;
	for (int row = 0; row < size; row++)
		if (is_safe(rows, column, row)) {
#pragma omp task firstprivate(row) shared(counts) if (column < 4) final(column > 5)
			{
				char mine[16];

				for (int i = 0; i < column; i++)
					mine[i] = rows[i];
				mine[column] = (char)row;
				counts[row] = place(size, column + 1, mine);
			}
		}
#pragma omp taskwait
	for (int row = 0; row < size; row++)
		sum += counts[row];
	return sum;
}

int main(void)
{
	for (int size = 4; size <= 8; size++) {
		long count = 0;

#pragma omp parallel
#pragma omp single nowait
		count = place(size, 0, "");
		printf("%d queens: %ld\n", size, count);
	}
	return 0;
}
