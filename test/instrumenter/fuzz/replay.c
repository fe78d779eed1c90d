/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the fuzz target over files, without libFuzzer: `fuzz-replay FILE-OR-FOLDER...`. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replayed;

static void replay_file(const char *path, size_t size)
{
	uint8_t *data = malloc(size + 1);
	FILE *file = fopen(path, "rb");

	if (file == NULL || data == NULL || fread(data, 1, size, file) != size) {
		fprintf(stderr, "cannot read %s\n", path);
		exit(1);
	}
	fclose(file);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	replayed++;
}

static void replay(const char *path)
{
	struct stat state;
	struct dirent *entry;
	DIR *folder;

	if (stat(path, &state) != 0) {
		fprintf(stderr, "there is no %s\n", path);
		exit(1);
	}
	if (!S_ISDIR(state.st_mode)) {
		replay_file(path, (size_t)state.st_size);
		return;
	}
	folder = opendir(path);
	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		char name[4096];

		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
		/* What the target prints before it aborts comes behind the file's name. */
		replay(name);
	}
	if (folder != NULL)
		closedir(folder);
}

int main(int count, char **arguments)
{
	for (int i = 1; i < count; i++)
		replay(arguments[i]);
	printf("%d files\n", replayed);
	return replayed > 0 ? 0 : 1;
}
