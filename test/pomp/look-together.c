/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded into two processes: after each has looked through a folder for the first time, it waits
 * until the other one has, too. What both then believe of the folder can hold for one of them only.
 * LOOK_TOGETHER names a folder for their signs.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int count_signs(const char *folder, int (*close_folder)(DIR *))
{
	DIR *signs = opendir(folder);
	int count = 0;

	while (signs != NULL && readdir(signs) != NULL)
		count++;
	if (signs != NULL)
		close_folder(signs);
	return count - 2; /* . and .. */
}

__attribute__((visibility("default"))) int closedir(DIR *folder)
{
	static int looked;
	int (*close_folder)(DIR *);
	const char *signs = getenv("LOOK_TOGETHER");
	char path[4096];

	*(void **)&close_folder = dlsym(RTLD_NEXT, "closedir");
	int result = close_folder(folder);
	if (signs == NULL || looked++ > 0)
		return result;
	snprintf(path, sizeof(path), "%s/%ld", signs, (long)getpid());
	close(open(path, O_CREAT | O_WRONLY, 0666));
	while (count_signs(signs, close_folder) < 2)
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	return result;
}
