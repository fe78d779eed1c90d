/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks for separate debug files. libdwfl does that too, but it may ask servers for them, which
 * must not happen while a program ends, and it supports only one list of folders.
 */
#include "debug-files.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/checksum.h"

static const char usual_folder[] = "/usr/lib/debug";

bool names_elf_file_open(struct elf_file *elf, const char *path)
{
	struct stat status;

	*elf = (struct elf_file){.file = -1};
	/* The path may meanwhile be a device or a pipe. */
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return false;
	elf->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (elf->file < 0)
		return false;
	elf_version(EV_CURRENT);
	elf->elf = elf_begin(elf->file, ELF_C_READ_MMAP, NULL);
	if (elf->elf != NULL && elf_kind(elf->elf) == ELF_K_ELF)
		elf->path = strdup(path);
	if (elf->path != NULL)
		return true;
	names_elf_file_close(elf);
	return false;
}

void names_elf_file_close(struct elf_file *elf)
{
	if (elf->elf != NULL)
		elf_end(elf->elf);
	if (elf->file >= 0)
		close(elf->file);
	/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): each open has a path of its own */
	free(elf->path);
	*elf = (struct elf_file){.file = -1};
}

/* Returns hexadecimal digits; heap. */
static char *digits_of(const void *bytes, size_t count)
{
	const unsigned char *byte = bytes;
	char *digits = calloc(count + 1, 2);

	for (size_t i = 0; digits != NULL && i < count; i++)
		snprintf(digits + i * 2, 3, "%02x", byte[i]);
	return digits;
}

char *names_elf_file_build_id(const struct elf_file *elf)
{
	const void *bytes;
	ssize_t count = dwelf_elf_gnu_build_id(elf->elf, &bytes);

	return digits_of(bytes, count > 0 ? (size_t)count : 0);
}

static bool has_build_id(const struct elf_file *elf, const char *build_id)
{
	char *own = names_elf_file_build_id(elf);
	bool equal = own != NULL && strcmp(own, build_id) == 0;

	free(own);
	return equal;
}

bool names_elf_file_has(const struct elf_file *elf, const char *section)
{
	Elf_Scn *next = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf->elf, &names) != 0)
		return false;
	while ((next = elf_nextscn(elf->elf, next)) != NULL) {
		GElf_Shdr head;
		if (gelf_getshdr(next, &head) == NULL || head.sh_type == SHT_NOBITS)
			continue;
		const char *name = elf_strptr(elf->elf, names, head.sh_name);
		if (name != NULL && strcmp(name, section) == 0)
			return true;
	}
	return false;
}

static uint64_t bytes_of(Elf_Scn *section, const GElf_Shdr *head, const char *name)
{
	GElf_Chdr compressed;

	if (head->sh_flags & SHF_COMPRESSED && gelf_getchdr(section, &compressed) != NULL)
		return compressed.ch_size;
	/* The older form has no size outside of its contents; they shrink to a third. */
	if (strncmp(name, ".zdebug_", strlen(".zdebug_")) == 0)
		return head->sh_size * 3;
	return strcmp(name, ".debug_info") == 0 || strcmp(name, ".debug_line") == 0 ? head->sh_size
										    : 0;
}

uint64_t names_debug_file_bytes(const struct elf_file *elf)
{
	Elf_Scn *next = NULL;
	size_t names;
	uint64_t bytes = 0;

	if (elf_getshdrstrndx(elf->elf, &names) != 0)
		return 0;
	while ((next = elf_nextscn(elf->elf, next)) != NULL) {
		GElf_Shdr head;
		if (gelf_getshdr(next, &head) == NULL || head.sh_type == SHT_NOBITS)
			continue;
		const char *name = elf_strptr(elf->elf, names, head.sh_name);
		if (name != NULL)
			bytes += bytes_of(next, &head, name);
	}
	return bytes;
}

/* Opens the file `folder` + `name` if it has that build id; no slash is inserted. */
static bool open_with_id(
    struct elf_file *found, const char *folder, const char *name, const char *build_id)
{
	char *path;

	if (asprintf(&path, "%s%s", folder, name) < 0)
		return false;
	bool is_it = names_elf_file_open(found, path) && has_build_id(found, build_id);
	if (!is_it)
		names_elf_file_close(found);
	free(path);
	return is_it;
}

bool names_debug_file_by_build_id(
    struct elf_file *found, const char *build_id, const char *const *dirs)
{
	char name[2 + 128 + sizeof("/.build-id//.debug")];

	*found = (struct elf_file){.file = -1};
	if (strlen(build_id) < 4 || strlen(build_id) > 128 ||
	    strspn(build_id, "0123456789abcdef") != strlen(build_id))
		return false;
	snprintf(name, sizeof(name), "/.build-id/%.2s/%s.debug", build_id, build_id + 2);
	for (; dirs != NULL && *dirs != NULL; dirs++) {
		/*
		 * A folder may also be the .build-id folder itself, or contain the file under its
		 * complete build id.
		 */
		char flat[2 + 128 + sizeof("/.debug")];
		snprintf(flat, sizeof(flat), "/%s.debug", build_id);
		if (open_with_id(found, *dirs, name, build_id) ||
		    open_with_id(found, *dirs, name + strlen("/.build-id"), build_id) ||
		    open_with_id(found, *dirs, flat, build_id))
			return true;
	}
	return open_with_id(found, usual_folder, name, build_id);
}

/* Returns whether the checksum of the file's bytes matches .gnu_debuglink. */
static bool has_sum(const struct elf_file *elf, uint32_t wanted)
{
	size_t size;
	const char *bytes = elf_rawfile(elf->elf, &size);

	return bytes != NULL && checksum_crc32((const unsigned char *)bytes, size) == wanted;
}

/* What a debug file must match. */
struct wanted {
	const char *own_path; /* of the file that it belongs to, which is not a match itself */
	const char *build_id; /* "": none */
	uint32_t sum;
};

static bool open_wanted(struct elf_file *found, const char *folder, const char *between,
    const char *name, const struct wanted *wanted)
{
	char *path, *id = NULL;
	bool is_it = false;

	if (asprintf(&path, "%s%s%s", folder, between, name) < 0)
		return false;
	if (strcmp(path, wanted->own_path) != 0 && names_elf_file_open(found, path)) {
		id = names_elf_file_build_id(found);
		is_it = id != NULL && id[0] != '\0' && wanted->build_id[0] != '\0'
			    ? strcmp(id, wanted->build_id) == 0
			    : has_sum(found, wanted->sum);
		if (!is_it)
			names_elf_file_close(found);
	}
	free(id);
	free(path);
	return is_it;
}

/* Returns the folder of a path, without the slash at its end: "" for the root. Heap. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? strndup(path, (size_t)(slash - path)) : strdup(".");
}

static bool search_link(struct elf_file *found, const char *folder, const char *name,
    const struct wanted *wanted, const char *const *dirs)
{
	char *below;

	if (open_wanted(found, folder, "/", name, wanted) ||
	    open_wanted(found, folder, "/.debug/", name, wanted))
		return true;
	if (asprintf(&below, "%s/", folder) < 0)
		return false;
	bool is_found = false;
	for (; !is_found && dirs != NULL && *dirs != NULL; dirs++)
		is_found = open_wanted(found, *dirs, "/", name, wanted) ||
			   open_wanted(found, *dirs, below, name, wanted);
	is_found = is_found || open_wanted(found, usual_folder, below, name, wanted);
	free(below);
	return is_found;
}

bool names_debug_file_by_link(
    struct elf_file *found, const struct elf_file *of, const char *const *dirs)
{
	GElf_Word sum;
	const char *name = dwelf_elf_gnu_debuglink(of->elf, &sum);

	*found = (struct elf_file){.file = -1};
	if (name == NULL || name[0] == '\0')
		return false;
	char *folder = folder_of(of->path), *build_id = names_elf_file_build_id(of);
	const struct wanted wanted = {of->path, build_id, sum};
	bool is_found =
	    folder != NULL && build_id != NULL && search_link(found, folder, name, &wanted, dirs);
	free(folder);
	free(build_id);
	return is_found;
}

/* Opens the file by the name that dwz wrote: absolute, or relative to the file that contains it. */
static bool open_supplementary(struct elf_file *found, const char *folder, const char *name,
    const char *build_id, const char *const *dirs)
{
	const char *slash = strrchr(name, '/');
	const char *base = slash != NULL ? slash : "/";
	char *beside;

	if (name[0] == '/' ? open_with_id(found, "", name, build_id) : false)
		return true;
	if (name[0] != '/' && asprintf(&beside, "/%s", name) >= 0) {
		bool is_found = open_with_id(found, folder, beside, build_id);
		free(beside);
		if (is_found)
			return true;
	}
	for (; dirs != NULL && *dirs != NULL; dirs++)
		if (open_with_id(found, *dirs, base, build_id) ||
		    (name[0] == '/' && open_with_id(found, *dirs, name, build_id)))
			return true;
	return false;
}

bool names_debug_file_supplementary(
    struct elf_file *found, Dwarf *dwarf, const struct elf_file *of, const char *const *dirs)
{
	const char *name;
	const void *bytes;
	ssize_t count = dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &bytes);

	*found = (struct elf_file){.file = -1};
	if (count <= 0)
		return false;
	char *build_id = digits_of(bytes, (size_t)count), *folder = folder_of(of->path);
	bool is_found = build_id != NULL && folder != NULL &&
			(names_debug_file_by_build_id(found, build_id, dirs) ||
			    open_supplementary(found, folder, name, build_id, dirs));
	free(build_id);
	free(folder);
	return is_found;
}
