/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the first bytes of a program: its ELF header and the loader that it names. Uses no library
 * for ELF files, because it runs in other people's programs, between vfork and exec.
 */
#include "program-header.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	FIRST_LINE = 256, /* of a script, as many bytes as Linux reads */
	MOST_SCRIPTS = 5, /* interpreters that are scripts themselves */
	MOST_PARTS = 64,  /* program headers that are read */
};

/* This library's own ELF header in memory; set by the constructor. */
static const ElfW(Ehdr) * own;

__attribute__((constructor)) static void find_own_header(void)
{
	Dl_info info;

	if (dladdr(&own, &info) != 0)
		own = info.dli_fbase;
}

/* Is this the name of musl's loader, on any architecture? */
static bool is_musl(const char *loader)
{
	const char *slash = strrchr(loader, '/');

	return strncmp(slash != NULL ? slash + 1 : loader, "ld-musl", 7) == 0;
}

static bool elf_takes_libraries(int file, const ElfW(Ehdr) * header)
{
	ElfW(Phdr) part;
	char loader[PATH_MAX];

	if (own == NULL)
		return true;
	if (header->e_ident[EI_CLASS] != own->e_ident[EI_CLASS] ||
	    header->e_ident[EI_DATA] != own->e_ident[EI_DATA] ||
	    header->e_machine != own->e_machine)
		return false;
	for (int i = 0; i < header->e_phnum && i < MOST_PARTS; i++) {
		off_t at = (off_t)(header->e_phoff + (size_t)i * header->e_phentsize);
		if (pread(file, &part, sizeof part, at) != sizeof part)
			return true;
		if (part.p_type != PT_INTERP || part.p_filesz == 0 ||
		    part.p_filesz >= sizeof loader)
			continue;
		ssize_t length = pread(file, loader, part.p_filesz, (off_t)part.p_offset);
		loader[length > 0 ? length : 0] = '\0';
		return !is_musl(loader);
	}
	return true;
}

/*
 * The interpreter that the first line of a script names, NUL-terminated in place; NULL if there is
 * none.
 */
static char *interpreter_in(char *line, size_t length)
{
	line[length] = '\0';
	if (line[0] != '#' || line[1] != '!')
		return NULL;
	line += 2 + strspn(line + 2, " \t");
	line[strcspn(line, " \t\n")] = '\0';
	return line[0] != '\0' ? line : NULL;
}

/*
 * Does the file accept our libraries? For a script, *next becomes its interpreter, in `line`, which
 * must be examined next.
 */
static bool look(int file, char *line, char **next)
{
	ElfW(Ehdr) header;

	*next = NULL;
	if (pread(file, &header, sizeof header, 0) == sizeof header &&
	    memcmp(header.e_ident, ELFMAG, SELFMAG) == 0)
		return elf_takes_libraries(file, &header);
	ssize_t length = pread(file, line, FIRST_LINE, 0);
	*next = interpreter_in(line, length > 0 ? (size_t)length : 0);
	return true;
}

bool target_descriptor_takes_libraries(int descriptor)
{
	char line[FIRST_LINE + 1], *next;
	bool takes = look(descriptor, line, &next);

	return next != NULL ? target_takes_libraries(next) : takes;
}

bool target_takes_libraries(const char *path)
{
	char line[FIRST_LINE + 1];
	bool takes = true;

	for (int i = 0; path != NULL && i < MOST_SCRIPTS; i++) {
		char *next;
		int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		if (file < 0)
			return true;
		takes = look(file, line, &next);
		close(file);
		path = next;
	}
	return takes;
}

bool target_in_path_takes_libraries(const char *file)
{
	const char *folders = getenv("PATH");
	char path[PATH_MAX];

	if (strchr(file, '/') != NULL || folders == NULL)
		return target_takes_libraries(file);
	for (;;) {
		size_t length = strcspn(folders, ":"), name = strlen(file);
		if (length + name + 3 <= sizeof path) {
			memcpy(path, length > 0 ? folders : ".", length > 0 ? length : 1);
			size_t at = length > 0 ? length : 1;
			path[at] = '/';
			memcpy(path + at + 1, file, name + 1);
			if (access(path, X_OK) == 0)
				return target_takes_libraries(path);
		}
		if (folders[length] == '\0')
			return true;
		folders += length + 1;
	}
}
