/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hidden: the first thread that comes writes a setting; the others read it at once.
 * Who is first is decided by an atomic capture, which is relaxed (OpenMP 5.2, 15.8.4): it does not
 * order the setting's write before the reads. The fixed one has a barrier behind it.
 */
int main(void)
{
	int tickets = 0;
	int setting = 0;
	int wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	{
		int ticket;

#pragma omp atomic capture
		ticket = tickets++;
		if (ticket == 0)
			setting = 64; /* race: write setting */
#ifdef FIXED
#pragma omp barrier
#endif
		wrong += setting != 64; /* race: read setting */
	}
	return wrong != 0;
}
