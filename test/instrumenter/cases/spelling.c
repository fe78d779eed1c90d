/* SPDX-License-Identifier: BSD-3-Clause */
/* Unusual ways to write what the preprocessor makes one line of. */
#include <stdio.h>

#define STRINGIZE(x) #x
#define PRAGMA(...) _Pragma(STRINGIZE(omp __VA_ARGS__))

int main(void)
{
	int x = 0, y = 0;
	const char *text = "#pragma omp parallel\\";

	# /* */ pragma /* a */ omp /* b
	c */ parallel /* d */ num_threads(2) // e
	{
		_Pragma("omp critical") x++;
	}
	PRAGMA(parallel for num_threads(2) reduction(+:x))
	for (int i = 0; i < 4; i++)
		x++;
#pragma omp para\
llel num_threads(2) reduction(+\
:x)
	x++;
#	pragma	omp	parallel	num_threads	(	2	)
	_Pragma("omp atomic") y++;
	if (y > 0) _Pragma("omp parallel num_threads(2)") { _Pragma("omp critical") y++; } else y--;
#pragma omp parallel num_threads ( text [0] == '#' ? 2 : 3 ) , reduction ( + : x )
	x++;
	printf("%d %d %s\n", x, y, text); // #pragma omp barrier
	return 0;
}
