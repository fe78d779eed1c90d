/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds a program and examines what the kernel would load for it: from the first lines of scripts
 * to an ELF file, which it reads with libelf. It reports facts and draws no conclusions.
 */
#include "program.h"
#include "program-search.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { MOST_SCRIPTS = 5 }; /* interpreters that are scripts; Linux has the same limit */

int program_find(const char *name, struct program *program, char **error)
{
	bool is_name = strchr(name, '/') == NULL && name[0] != '\0';
	int length;

	*program = (struct program){.path = search_program(name, SEARCH_OURS_TOO, NULL)};
	if (program->path != NULL)
		return 0;
	int problem = errno;
	char *why = program_problem_text(name, problem);
	if (why == NULL)
		length = -1;
	else if (is_name && problem == ENOENT && program_problem(name) == 0)
		length = asprintf(error,
		    "cannot run '%s': %s; did you mean './%s', the file in this folder?", name, why,
		    name);
	else
		length = asprintf(error, "cannot run '%s': %s", name, why);
	free(why);
	if (length < 0)
		*error = NULL;
	return program_exit_code(problem);
}

/*
 * Does exec give the program rights that its caller lacks (AT_SECURE)? File systems mounted nosuid
 * give none.
 */
static bool gives_rights(const char *path)
{
	struct stat status;
	struct statvfs system;

	if (getuid() != geteuid() || getgid() != getegid())
		return true;
	if (stat(path, &status) != 0 ||
	    (statvfs(path, &system) == 0 && (system.f_flag & ST_NOSUID) != 0))
		return false;
	if ((status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid())
		return true;
	if ((status.st_mode & S_ISGID) != 0 && (status.st_mode & S_IXGRP) != 0 &&
	    status.st_gid != getegid())
		return true;
	return geteuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0;
}

/* Does the symbol table contain a definition of this name? */
static bool defines(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, const char *name)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = header->sh_entsize > 0 ? header->sh_size / header->sh_entsize : 0;
	GElf_Sym symbol;

	for (size_t i = 0; data != NULL && i < count; i++) {
		if (gelf_getsym(data, (int)i, &symbol) == NULL)
			return false;
		if (symbol.st_shndx == SHN_UNDEF || GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
			continue;
		const char *found = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (found != NULL && strcmp(found, name) == 0)
			return true;
	}
	return false;
}

static bool defines_anywhere(Elf *elf, const char *name)
{
	GElf_Shdr header;

	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;)
		if (gelf_getshdr(section, &header) != NULL &&
		    (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) &&
		    defines(elf, section, &header, name))
			return true;
	return false;
}

/* The path (heap) in the part of the file that the program header describes, or NULL. */
static char *text_of(Elf *elf, const GElf_Phdr *part)
{
	size_t size;
	const char *bytes = elf_rawfile(elf, &size);

	if (bytes == NULL || part->p_offset >= size || part->p_filesz > size - part->p_offset)
		return NULL;
	return strndup(bytes + part->p_offset, part->p_filesz);
}

static bool is_our_architecture(Elf *elf)
{
	static const union {
		uint16_t number;
		unsigned char bytes[2];
	} order = {1};
	GElf_Ehdr header;
	int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	Elf *own = file >= 0 ? elf_begin(file, ELF_C_READ_MMAP, NULL) : NULL;
	int machine = gelf_getehdr(own, &header) != NULL ? header.e_machine : EM_NONE;
	bool same =
	    gelf_getehdr(elf, &header) == NULL ||
	    ((machine == EM_NONE || header.e_machine == machine) &&
		header.e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) &&
		header.e_ident[EI_DATA] == (order.bytes[0] == 1 ? ELFDATA2LSB : ELFDATA2MSB));

	elf_end(own);
	if (file >= 0)
		close(file);
	return same;
}

static void examine_elf(Elf *elf, struct program *program)
{
	size_t count;
	GElf_Ehdr header;
	GElf_Phdr part;

	if (!is_our_architecture(elf)) {
		program->kind = PROGRAM_FOREIGN;
		return;
	}
	/* For a truncated file, libelf counts fewer program headers. */
	if (gelf_getehdr(elf, &header) == NULL || elf_getphdrnum(elf, &count) != 0 || count == 0 ||
	    count < header.e_phnum)
		return;
	for (size_t i = 0; i < count && program->loader == NULL; i++) {
		if (gelf_getphdr(elf, (int)i, &part) == NULL)
			return;
		if (part.p_type == PT_INTERP)
			program->loader = text_of(elf, &part);
	}
	program->kind = program->loader != NULL ? PROGRAM_DYNAMIC : PROGRAM_STATIC;
	/* LLVM's runtime also has GNU's entry points, but tools can attach to it. */
	program->contains_runtime =
	    defines_anywhere(elf, "GOMP_parallel") && !defines_anywhere(elf, "__kmpc_fork_call");
}

/* Returns the interpreter (heap) when the file is a script that names one, else NULL. */
static char *examine_file(const char *path, struct program *program)
{
	char first[PROGRAM_FIRST_LINE];
	struct stat status;
	char *next = NULL;
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t length = -1;

	program->kind = PROGRAM_UNKNOWN;
	if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode))
		length = pread(file, first, sizeof first, 0);
	if (length >= SELFMAG && memcmp(first, ELFMAG, SELFMAG) == 0) {
		elf_version(EV_CURRENT);
		Elf *elf = elf_begin(file, ELF_C_READ_MMAP, NULL);
		if (elf != NULL && elf_kind(elf) == ELF_K_ELF)
			examine_elf(elf, program);
		elf_end(elf);
	} else if (length >= 0) {
		next = program_interpreter(first, (size_t)length);
		/* Like shells: a file with a NUL in its first line is not a text. */
		const char *end = memchr(first, '\n', (size_t)length);
		size_t line = end != NULL ? (size_t)(end - first) : (size_t)length;
		if (next == NULL && memchr(first, '\0', line) == NULL)
			program->kind = PROGRAM_TEXT;
	}
	if (file >= 0)
		close(file);
	return next;
}

void program_examine(struct program *program)
{
	program->binary = strdup(program->path);
	for (int i = 0; program->binary != NULL && i < MOST_SCRIPTS; i++) {
		char *next = examine_file(program->binary, program);
		if (next == NULL)
			break;
		free(program->binary);
		program->binary = next;
	}
	program->secure = program->binary != NULL && gives_rights(program->binary);
}

void program_needs(const char *path, struct words *names)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	GElf_Shdr header;
	GElf_Dyn entry;

	elf_version(EV_CURRENT);
	Elf *elf = file >= 0 ? elf_begin(file, ELF_C_READ_MMAP, NULL) : NULL;
	for (Elf_Scn *section = NULL;
	     elf != NULL && (section = elf_nextscn(elf, section)) != NULL;) {
		if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_DYNAMIC)
			continue;
		Elf_Data *data = elf_getdata(section, NULL);
		for (int i = 0; data != NULL && gelf_getdyn(data, i, &entry) != NULL; i++) {
			const char *name = entry.d_tag != DT_NEEDED
					       ? NULL
					       : elf_strptr(elf, header.sh_link, entry.d_un.d_val);
			if (name != NULL)
				words_add(names, name);
		}
	}
	elf_end(elf);
	if (file >= 0)
		close(file);
}

void program_finish(struct program *program)
{
	free(program->path);
	free(program->binary);
	free(program->loader);
	*program = (struct program){0};
}
