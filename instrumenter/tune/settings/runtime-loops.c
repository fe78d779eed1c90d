/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks through the undefined symbols, the needed libraries and the list of loops of an ELF file.
 */
#include "runtime-loops.h"

#include "program.h"
#include "shared/loop-schedule.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

struct calls {
	bool of_gnu;  /* of GNU's runtime */
	bool of_loop; /* of such a loop */
	bool unclear; /* of any schedule, as an argument; or of dlopen(), which loads anything */
};

static void look_at(const char *name, struct calls *calls)
{
	static const char *const unclear[] = {"GOMP_loop_start", "GOMP_loop_ull_start",
	    "GOMP_loop_ordered_start", "GOMP_loop_ull_ordered_start", "GOMP_loop_doacross_start",
	    "GOMP_loop_ull_doacross_start", "dlopen", "dlmopen"};

	if (strncmp(name, "GOMP_", 5) == 0) {
		calls->of_gnu = true;
		calls->of_loop |= strstr(name, "runtime") != NULL;
	}
	calls->unclear |= strncmp(name, "__kmpc_", 7) == 0;
	for (size_t i = 0; i < sizeof unclear / sizeof unclear[0]; i++)
		calls->unclear |= strcmp(name, unclear[i]) == 0;
}

static void look_at_symbols(Elf *elf, struct calls *calls)
{
	GElf_Shdr header;
	GElf_Sym symbol;

	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
		if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_DYNSYM)
			continue;
		Elf_Data *data = elf_getdata(section, NULL);
		for (int i = 0; data != NULL && gelf_getsym(data, i, &symbol) != NULL; i++) {
			const char *name = symbol.st_shndx != SHN_UNDEF
					       ? NULL
					       : elf_strptr(elf, header.sh_link, symbol.st_name);
			if (name != NULL)
				look_at(name, calls);
		}
	}
}

/* Adds the strings of the section to the list, each once: an inline function is in many files. */
static void add_strings(const char *at, const char *end, struct words *loops)
{
	for (size_t length; at < end; at += length + 1) {
		size_t known = 0;

		length = strnlen(at, (size_t)(end - at));
		while (known < loops->count && (strlen(loops->items[known]) != length ||
						   memcmp(loops->items[known], at, length) != 0))
			known++;
		if (length > 0 && known == loops->count)
			words_add_bytes(loops, at, length);
	}
}

static void look_at_list(Elf *elf, const char *wanted, struct words *list)
{
	GElf_Shdr header;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return;
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
		const char *name = gelf_getshdr(section, &header) != NULL
				       ? elf_strptr(elf, names, header.sh_name)
				       : NULL;
		if (name == NULL || strcmp(name, wanted) != 0)
			continue;
		const Elf_Data *data = elf_getdata(section, NULL);
		if (data != NULL && data->d_buf != NULL)
			add_strings(data->d_buf, (const char *)data->d_buf + data->d_size, list);
	}
}

/* Is there an entry of a loop that the program itself has with schedule(runtime)? */
static bool lists_own_loop(const struct words *loops)
{
	for (size_t i = 0; i < loops->count; i++) {
		const char *equals = strrchr(loops->items[i], '=');
		if (equals != NULL && strcmp(equals + 1, LOOP_SCHEDULE_RUNTIME) == 0)
			return true;
	}
	return false;
}

/* Are there libraries that may have loops of their own? */
static bool needs_others(const char *path)
{
	static const char *const usual[] = {"libc.so", "libm.so", "libmvec.so", "libgomp.so",
	    "libomp.so", "libiomp5.so", "libpomp", "libstdc++.so", "libgcc_s.so", "libpthread.so",
	    "libdl.so", "librt.so", "libgfortran.so", "libquadmath.so", "ld-linux"};
	struct words names = {0};
	bool others = false;

	program_needs(path, &names);
	for (size_t i = 0; i < names.count; i++) {
		size_t k = 0, count = sizeof usual / sizeof usual[0];
		while (k < count && strncmp(names.items[i], usual[k], strlen(usual[k])) != 0)
			k++;
		others |= k == count;
	}
	others |= names.failed;
	words_finish(&names);
	return others;
}

enum runtime_loops runtime_loops_find(const char *path, struct words *loops, struct words *tasks)
{
	struct calls calls = {0};
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	elf_version(EV_CURRENT);
	Elf *elf = file >= 0 ? elf_begin(file, ELF_C_READ_MMAP, NULL) : NULL;
	if (elf != NULL)
		look_at_symbols(elf, &calls);
	if (elf != NULL) {
		look_at_list(elf, LOOP_SCHEDULE_SECTION, loops);
		look_at_list(elf, TASK_GRAIN_SECTION, tasks);
	}
	elf_end(elf);
	if (file >= 0)
		close(file);
	/* Loops whose schedule may change call the same functions as such loops. */
	if (loops->count > 0)
		calls.of_loop = lists_own_loop(loops);
	if (calls.of_loop)
		return RUNTIME_LOOPS_SOME;
	if (!calls.of_gnu || calls.unclear || needs_others(path))
		return RUNTIME_LOOPS_UNKNOWN;
	return RUNTIME_LOOPS_NONE;
}
