/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: all solutions of the n-queens problem, by tasks of the upper rows.
 * Each task has a board of its own; what was found is counted by a task reduction.
 */
#include <string.h>

enum { N = 8, TASK_ROWS = 3 };

struct board {
	signed char column[N];
};

static int is_safe(const struct board *board, int row, int column)
{
	for (int i = 0; i < row; i++) {
		int other = board->column[i];

		if (other == column || other - column == row - i || column - other == row - i)
			return 0;
	}
	return 1;
}

static void place(struct board board, int row, int *found)
{
	if (row == N) {
		(*found)++;
		return;
	}
	for (int column = 0; column < N; column++) {
		if (!is_safe(&board, row, column))
			continue;
		board.column[row] = (signed char)column;
		if (row < TASK_ROWS) {
#pragma omp task firstprivate(board, row) in_reduction(+ : found[:1])
			place(board, row + 1, found);
		} else {
			place(board, row + 1, found);
		}
	}
}

int main(void)
{
	int found = 0;
	int *all = &found;

#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : all[:1])
	{
		struct board empty;

		memset(&empty, 0, sizeof empty);
#pragma omp task firstprivate(empty) in_reduction(+ : all[:1])
		place(empty, 0, all);
	}
	return found != 92;
}
