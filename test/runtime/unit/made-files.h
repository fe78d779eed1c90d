/* SPDX-License-Identifier: BSD-3-Clause */
/* Folders of files like the kernel's, for machines that exist only in a test. */
#ifndef MADE_FILES_H
#define MADE_FILES_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Writes one file below root and makes the folders above it; ends the test if that fails. */
static inline void put_file(const char *root, const char *name, const char *text)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	FILE *file = fopen(path, "w");
	if (!file || fputs(text, file) < 0 || fclose(file) != 0) {
		perror(path);
		exit(1);
	}
}

#endif
