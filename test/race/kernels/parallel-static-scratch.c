/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parallel: a routine that all threads call keeps its scratch area in a static variable.
 * Variables with static storage that are declared in a called routine are shared (OpenMP 5.2,
 * 5.1.2). The fixed routine has an automatic one: each call has its own.
 */
static int digits_of(int number)
{
#ifdef FIXED
	char scratch[12];
#else
	static char scratch[12];
#endif
	int length = 0;

	for (; number > 0; number /= 10)
		scratch[length++] = (char)('0' + number % 10); /* race: write scratch */
	int sum = 0;
	while (length > 0)
		sum += scratch[--length] - '0'; /* race: read scratch */
	return sum;
}

int main(void)
{
	int sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < 1000; i++)
		sum += digits_of(i);
	return sum != 13500;
}
