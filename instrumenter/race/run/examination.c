/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks for reasons why ThreadSanitizer cannot see the program's accesses or its synchronization.
 * Each finding is a line that states the reason and how to build the program instead.
 */
#include "examination.h"

#include "compiler-command.h"
#include "loader.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

/* The relevant contents of a file. */
struct contents {
	bool thread_sanitizer,
	    memory_sanitizer; /* linked into it, as clang does; or the address one */
	bool thread_library;
	bool debug_information;
};

static void look_at_symbols(
    Elf *elf, Elf_Scn *section, const GElf_Shdr *header, struct contents *contents)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = header->sh_entsize > 0 ? header->sh_size / header->sh_entsize : 0;
	GElf_Sym symbol;

	for (size_t i = 0; data != NULL && i < count; i++) {
		if (gelf_getsym(data, (int)i, &symbol) == NULL || symbol.st_shndx == SHN_UNDEF)
			continue;
		const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (name == NULL)
			continue;
		contents->thread_sanitizer |= strcmp(name, "__tsan_init") == 0;
		contents->memory_sanitizer |=
		    strcmp(name, "__asan_init") == 0 || strcmp(name, "__msan_init") == 0;
	}
}

/* Where the text names gcc's or clang's ThreadSanitizer library, or NULL. */
static const char *find_thread_library(const char *text)
{
	const char *found = strstr(text, "libtsan.so");

	return found != NULL ? found : strstr(text, "libclang_rt.tsan");
}

/* The sanitizers that are linked to the file itself, as libraries. */
static void look_at_needs(const char *path, struct contents *contents)
{
	struct words names = {0};

	program_needs(path, &names);
	for (size_t i = 0; i < names.count; i++) {
		contents->thread_library |= find_thread_library(names.items[i]) != NULL;
		contents->memory_sanitizer |= strstr(names.items[i], "libasan.so") != NULL;
	}
	words_finish(&names);
}

static struct contents look_at(const char *path)
{
	struct contents contents = {0};
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	Elf *elf;
	GElf_Shdr header;
	size_t names;

	elf_version(EV_CURRENT);
	elf = file >= 0 ? elf_begin(file, ELF_C_READ_MMAP, NULL) : NULL;
	if (elf != NULL && elf_getshdrstrndx(elf, &names) == 0)
		for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
			if (gelf_getshdr(section, &header) == NULL)
				continue;
			const char *name = elf_strptr(elf, names, header.sh_name);
			contents.debug_information |=
			    name != NULL && (strcmp(name, ".debug_info") == 0 ||
						strcmp(name, ".gnu_debuglink") == 0);
			if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM)
				look_at_symbols(elf, section, &header, &contents);
		}
	elf_end(elf);
	if (file >= 0)
		close(file);
	look_at_needs(path, &contents);
	return contents;
}

static void set_obstacle(struct race_examination *examination, const char *text)
{
	if (examination->obstacle == NULL)
		examination->obstacle = strdup(text);
}

/* Does the file have the text among its constants? */
static bool holds(const char *path, const char *text)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	GElf_Shdr header;
	bool found = false;

	elf_version(EV_CURRENT);
	Elf *elf = file >= 0 ? elf_begin(file, ELF_C_READ_MMAP, NULL) : NULL;
	for (Elf_Scn *section = NULL;
	     elf != NULL && !found && (section = elf_nextscn(elf, section)) != NULL;) {
		if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_PROGBITS ||
		    header.sh_flags & SHF_EXECINSTR || !(header.sh_flags & SHF_ALLOC))
			continue;
		const Elf_Data *data = elf_rawdata(section, NULL);
		found = data != NULL && data->d_buf != NULL &&
			memmem(data->d_buf, data->d_size, text, strlen(text)) != NULL;
	}
	elf_end(elf);
	if (file >= 0)
		close(file);
	return found;
}

/* The line of the loader's answer that names gcc's or clang's ThreadSanitizer library, or NULL. */
static const char *sanitizer_line(const struct loader_answer *answer)
{
	return answer->libraries != NULL ? find_thread_library(answer->libraries) : NULL;
}

static void judge_dynamic(const struct program *program, const struct contents *contents,
    const struct loader_answer *answer, struct race_examination *examination)
{
	examination->memory = contents->memory_sanitizer || loader_has(answer, "libasan.so");
	examination->is_library = contents->thread_library || sanitizer_line(answer) != NULL;
	examination->is_certain =
	    contents->thread_sanitizer || examination->memory || examination->is_library;
	examination->no_lines = !contents->debug_information;
	if (examination->is_certain && program->contains_runtime)
		set_obstacle(examination, "GNU's OpenMP runtime is linked into it, whose "
					  "synchronization sanitizers do not see; link it "
					  "without libgomp.a and -static-libgomp");
	if (examination->is_certain || strcmp(program->path, program->binary) != 0)
		return;
	/* A shell or an interpreter without OpenMP may start a program that was built for it. */
	if (loader_has(answer, "libgomp.so") || loader_has(answer, "libomp.so") ||
	    loader_has(answer, "libiomp5.so"))
		set_obstacle(examination, "it was not built with -fsanitize=thread; " RACE_REBUILD);
}

/* What the file itself does not show, its libraries' libraries may: the loader knows these. */
static void examine_dynamic(const struct program *program, struct race_examination *examination)
{
	struct loader_answer answer = {0};
	struct contents contents = look_at(program->binary);

	if (contents.thread_sanitizer || contents.memory_sanitizer || contents.thread_library ||
	    loader_ask(program->loader, program->binary, environ, &answer))
		judge_dynamic(program, &contents, &answer, examination);
	loader_answer_finish(&answer);
}

/* The path of the ThreadSanitizer library that the program gets (heap), or NULL. */
static char *library_path(const struct program *program)
{
	struct loader_answer answer = {0};
	char *path = NULL;

	if (loader_ask(program->loader, program->binary, environ, &answer)) {
		const char *line = sanitizer_line(&answer); /* libtsan.so.2 => PATH (ADDRESS) */
		const char *begin = line != NULL ? strstr(line, "=> ") : NULL;
		if (begin != NULL)
			path = strndup(begin + 3, strcspn(begin + 3, " \n"));
	}
	loader_answer_finish(&answer);
	return path;
}

/* GCC 13 has a new version of the runtime, which rejects options that no longer exist. */
bool race_knows_addresses(const struct program *program, struct race_examination *examination)
{
	if (examination->addresses == RACE_NOT_ASKED && examination->is_certain) {
		char *path =
		    examination->is_library ? library_path(program) : strdup(program->binary);
		examination->addresses =
		    path != NULL && holds(path, RACE_TSAN_ADDRESSES) ? RACE_YES : RACE_NO;
		free(path);
	}
	return examination->addresses == RACE_YES;
}

void race_examine(const struct program *program, struct race_examination *examination)
{
	*examination = (struct race_examination){0};
	switch (program->kind) {
	case PROGRAM_FOREIGN:
		set_obstacle(examination,
		    "it is for another processor or word size than ompinst, and "
		    "ThreadSanitizer needs a 64-bit one; " RACE_REBUILD);
		return;
	case PROGRAM_STATIC:
		set_obstacle(examination,
		    "it is linked statically, where ThreadSanitizer cannot be; "
		    "link it without -static");
		return;
	case PROGRAM_DYNAMIC:
		break;
	default:
		return;
	}
	if (program->secure) {
		set_obstacle(examination,
		    "it runs with other rights than yours, so that its loader "
		    "attaches nothing; run a copy without them");
		return;
	}
	examine_dynamic(program, examination);
}

void race_examination_finish(struct race_examination *examination)
{
	free(examination->obstacle);
	*examination = (struct race_examination){0};
}
