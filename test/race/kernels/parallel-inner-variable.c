/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parallel: the variable of an inner loop is declared outside of the region.
 * Only the variables of the loops that are associated with the construct become private (OpenMP
 * 5.2, 5.1.1): in C that of a further loop is shared as any other. The fixed one lists it.
 */
static double matrix[60][60];

int main(void)
{
	int wrong = 0;
	int column;

#ifdef FIXED
#pragma omp parallel for private(column)
#else
#pragma omp parallel for
#endif
	for (int row = 0; row < 60; row++)
		for (column = 0; column < 60; column++)     /* race: write column */
			matrix[row][column] = row + column; /* race: read column */

	for (int row = 0; row < 60; row++)
		for (int i = 0; i < 60; i++)
			wrong += matrix[row][i] != row + i;
	return wrong != 0;
}
