/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of a film frame: those of the three bright bands are smoothed with a wide window. */
#include <stdio.h>
#include <string.h>

enum { LINES = 1080, WIDTH = 640, FRAMES = 60, NARROW = 2, WIDE = 24 };

static float frame[LINES][WIDTH], smooth[LINES][WIDTH];

static int is_bright(int line)
{
	return (line >= 100 && line < 180) || (line >= 700 && line < 820) ||
	       (line >= 900 && line < 940);
}

static void smooth_line(int line)
{
	int reach = is_bright(line) ? WIDE : NARROW;

	for (int at = reach; at < WIDTH - reach; at++) {
		float sum = 0;
		for (int other = at - reach; other <= at + reach; other++)
			sum += frame[line][other];
		smooth[line][at] = sum / (float)(2 * reach + 1);
	}
}

int main(void)
{
	double sum = 0;

	for (int line = 0; line < LINES; line++)
		for (int at = 0; at < WIDTH; at++)
			frame[line][at] = (float)((line * 7 + at * 3) % 256);
	for (int number = 0; number < FRAMES; number++) {
#pragma omp parallel for // @loop
		for (int line = 0; line < LINES; line++)
			smooth_line(line);
		memcpy(frame, smooth, sizeof frame);
	}
	for (int line = 0; line < LINES; line++)
		sum += frame[line][WIDTH / 2];
	printf("%.4f\n", sum);
	return 0;
}
