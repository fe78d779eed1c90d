/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: critical constructs of two names are nested in both ways.
 * Each excludes the other threads from one name only (OpenMP 5.2, 15.2). The fixed ones are nested
 * in one way.
 */
static int head, rows;

static void count_row(void)
{
#pragma omp critical(table) /* deadlock: critical (table) */
	{
#pragma omp critical(list) /* deadlock: critical (list) */
		head++;
		rows++;
	}
}

static void drop_head(void)
{
#ifdef FIXED
#pragma omp critical(table)
	{
#pragma omp critical(list)
#else
#pragma omp critical(list)  /* deadlock: critical (list) */
	{
#pragma omp critical(table) /* deadlock: critical (table) */
#endif
		rows--;
		head--;
	}
}

int main(void)
{
#pragma omp parallel sections
	{
#pragma omp section
		count_row();
#pragma omp section
		drop_head();
	}
	return 0;
}
