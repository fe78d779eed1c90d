/* SPDX-License-Identifier: BSD-3-Clause */
/* The main program of all scenes. It ends by itself if the test that started it is gone. */
#include "scenes.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void stay(void)
{
	for (;;)
		pause();
}

int main(int count, char **arguments)
{
	alarm(600);
	for (const struct scene *scene = scenes; scene->name != NULL; scene++) {
		if (count < 2) {
			puts(scene->name);
		} else if (strcmp(scene->name, arguments[1]) == 0) {
			puts("begun");
			fflush(stdout);
			scene->play();
			fprintf(stderr, "%s: the scene ended\n", scene->name);
			return 1;
		}
	}
	return count < 2 ? 0 : 2;
}
