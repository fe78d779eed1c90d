/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: values are smoothed in place under a guided schedule.
 * At the border of two chunks one thread reads the element that another one writes (OpenMP 5.2,
 * 11.5.3). The fixed one writes a second array.
 */
enum { N = 2000 };

static double signal[N], smooth[N];

int main(void)
{
	double difference = 0;

	for (int i = 0; i < N; i++)
		signal[i] = 2.0 * i;
#pragma omp parallel for schedule(guided)
	for (int i = 1; i < N - 1; i++) {
#ifdef FIXED
		smooth[i] = (signal[i - 1] + signal[i] + signal[i + 1]) / 3;
#else
		double left = signal[i - 1], right = signal[i + 1]; /* race: read signal */
		signal[i] = (left + signal[i] + right) / 3;         /* race: write signal */
		smooth[i] = signal[i];
#endif
	}
	for (int i = 1; i < N - 1; i++)
		difference += smooth[i] - 2.0 * i;
	return difference > 1e-6 || difference < -1e-6;
}
