/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

static int leave(int way)
{
	int result = 0;

#pragma pomp inst begin(function)
	if (way == 0)
		return 1;
	for (int i = 0; i < 5; i++) {
#pragma pomp inst begin(loop)
		result += i;
		if (i == way)
			break;
		if (i == 2)
			continue;
		if (way == 4)
			goto out;
		if (way == 5) {
#pragma pomp inst altend(loop)
			result++;
			return result;
		}
		result++;
#pragma pomp inst end(loop)
	}
#pragma pomp inst end(function)
	result += 100;
out:
	return result;
}

static int not_guarded(int x)
{
	switch (x) {
	case 1:
#pragma pomp inst begin(in case)
		x = 5;
#pragma pomp inst end(in case)
		break;
	case 2:
		x = 6;
	}
	return x;
}

int main(void)
{
	for (int way = 0; way < 7; way++)
		printf("%d %d\n", leave(way), not_guarded(way));
	return 0;
}
