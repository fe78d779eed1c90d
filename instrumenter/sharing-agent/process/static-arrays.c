/* SPDX-License-Identifier: BSD-3-Clause */
/* A file without a symbol table has no variables here; what is wrong in one is left out. */
#include "static-arrays.h"

#include "loaded-files.h"

#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is looked for; by one thread. */
static struct {
	size_t least;
	void (*found)(uintptr_t start, size_t size);
} search;

/* A file in memory. */
struct image {
	const unsigned char *bytes;
	size_t size;
};

/* Is so much of the image there? */
static bool has(const struct image *image, uint64_t offset, uint64_t size)
{
	return offset <= image->size && size <= image->size - offset;
}

static void take_symbols(const struct image *image, const ElfW(Shdr) * table, uintptr_t bias)
{
	const ElfW(Sym) *symbols = (const void *)(image->bytes + table->sh_offset);
	const size_t count = table->sh_size / sizeof *symbols;

	for (size_t i = 0; i < count; i++)
		if (ELF64_ST_TYPE(symbols[i].st_info) == STT_OBJECT &&
		    symbols[i].st_shndx != SHN_UNDEF && symbols[i].st_size >= search.least)
			search.found(bias + symbols[i].st_value, symbols[i].st_size);
}

static void take_image(const struct image *image, uintptr_t bias)
{
	const ElfW(Ehdr) *head = (const void *)image->bytes;

	if (image->size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
	    head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shoff % _Alignof(ElfW(Shdr)) != 0 ||
	    !has(image, head->e_shoff, (uint64_t)head->e_shnum * sizeof(ElfW(Shdr))))
		return;
	const ElfW(Shdr) *sections = (const void *)(image->bytes + head->e_shoff);
	for (unsigned i = 0; i < head->e_shnum; i++)
		if (sections[i].sh_type == SHT_SYMTAB &&
		    sections[i].sh_offset % _Alignof(ElfW(Sym)) == 0 &&
		    has(image, sections[i].sh_offset, sections[i].sh_size))
			take_symbols(image, &sections[i], bias);
}

static void take_file(const char *path, uintptr_t bias)
{
	const int file = open(path, O_RDONLY | O_CLOEXEC);
	struct stat about;

	if (file < 0)
		return;
	if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
		const size_t size = (size_t)about.st_size;
		void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
		if (bytes != MAP_FAILED) {
			take_image(&(struct image){bytes, size}, bias);
			munmap(bytes, size);
		}
	}
	close(file);
}

void static_arrays_find(size_t least, void (*found)(uintptr_t start, size_t size))
{
	search.least = least;
	search.found = found;
	loaded_files_each(take_file);
}
