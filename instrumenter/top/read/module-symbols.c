/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Follows the module's own headers to its dynamic section and its hash table (DT_GNU_HASH, else
 * DT_HASH). Every number of the process is distrusted: counts have limits, and each read is
 * checked by the kernel.
 */
#include "module-symbols.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

enum {
	MOST_HEADERS = 64,
	MOST_DYNAMIC = 256,
	MOST_CHAIN = 1 << 12,
	LONGEST_NAME = 64,
	MOST_NOTES = 16,
	NOTE_NAME_BYTES = 4, /* "GNU" */
};

struct module {
	struct target_memory *memory;
	uint64_t bias, dynamic, symbols, strings, gnu_hash, hash;
	char build_id[MODULE_BUILD_ID_SIZE];
};

static bool read_object(struct target_memory *memory, uint64_t address, void *object, size_t bytes)
{
	return target_memory_read(memory, address, object, bytes);
}

/* The loader has added the bias to these addresses on most systems, and not on the others. */
static uint64_t located(const struct module *module, uint64_t address)
{
	return address >= module->bias ? address : module->bias + address;
}

static bool read_dynamic(struct module *module, uint64_t address)
{
	ElfW(Dyn) entry;

	for (uint64_t i = 0; i < MOST_DYNAMIC; i++) {
		if (!read_object(module->memory, address + i * sizeof entry, &entry, sizeof entry))
			return false;
		uint64_t value = located(module, entry.d_un.d_ptr);
		switch (entry.d_tag) {
		case DT_NULL:
			return module->symbols != 0 && module->strings != 0;
		case DT_SYMTAB:
			module->symbols = value;
			break;
		case DT_STRTAB:
			module->strings = value;
			break;
		case DT_GNU_HASH:
			module->gnu_hash = value;
			break;
		case DT_HASH:
			module->hash = value;
			break;
		default:
			break;
		}
	}
	return false;
}

static bool is_loadable(const ElfW(Ehdr) * header)
{
	return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
	       header->e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) &&
	       header->e_phnum <= MOST_HEADERS && header->e_phentsize == sizeof(ElfW(Phdr));
}

/* Looks for the build id among the notes. */
static void read_notes(struct module *module, uint64_t address, uint64_t bytes)
{
	unsigned char id[(MODULE_BUILD_ID_SIZE - 1) / 2];
	ElfW(Nhdr) note;
	char name[NOTE_NAME_BYTES];
	uint64_t at = 0;

	for (int i = 0; i < MOST_NOTES && at + sizeof note + sizeof name <= bytes; i++) {
		if (!read_object(module->memory, address + at, &note, sizeof note) ||
		    !read_object(module->memory, address + at + sizeof note, name, sizeof name))
			return;
		at += sizeof note + ((uint64_t)note.n_namesz + 3) / 4 * 4;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof name &&
		    memcmp(name, "GNU", sizeof name) == 0 && note.n_descsz <= sizeof id &&
		    read_object(module->memory, address + at, id, note.n_descsz)) {
			for (size_t j = 0; j < note.n_descsz; j++)
				snprintf(module->build_id + 2 * j, 3, "%02x", id[j]);
			return;
		}
		at += ((uint64_t)note.n_descsz + 3) / 4 * 4;
	}
}

/* Reads the headers of the module's parts. */
static bool read_module(struct module *module, uint64_t base)
{
	ElfW(Ehdr) header;
	ElfW(Phdr) part;
	bool has_bias = false;

	if (!read_object(module->memory, base, &header, sizeof header) || !is_loadable(&header))
		return false;
	for (uint64_t i = 0; i < header.e_phnum; i++) {
		if (!read_object(module->memory, base + header.e_phoff + i * sizeof part, &part,
			sizeof part))
			return false;
		if (part.p_type == PT_LOAD && part.p_offset == 0 && !has_bias) {
			module->bias = base - part.p_vaddr;
			has_bias = true;
		}
		if (part.p_type == PT_DYNAMIC)
			module->dynamic = module->bias + part.p_vaddr;
		if (part.p_type == PT_NOTE && has_bias && module->build_id[0] == '\0')
			read_notes(module, module->bias + part.p_vaddr, part.p_memsz);
	}
	return has_bias;
}

/* The address of symbol number `index` if it has the name and is defined, else 0. */
static uint64_t match(const struct module *module, uint64_t index, const char *name)
{
	ElfW(Sym) symbol;
	char text[LONGEST_NAME];
	size_t length = strlen(name) + 1;

	if (length > sizeof text ||
	    !read_object(
		module->memory, module->symbols + index * sizeof symbol, &symbol, sizeof symbol))
		return 0;
	if (symbol.st_shndx == SHN_UNDEF || symbol.st_value == 0 ||
	    !read_object(module->memory, module->strings + symbol.st_name, text, length))
		return 0;
	return memcmp(text, name, length) == 0 ? module->bias + symbol.st_value : 0;
}

static uint64_t find_gnu(const struct module *module, const char *name)
{
	uint32_t head[4], chain = 0, index, hash = 5381;
	uint64_t buckets, chains, found;

	for (const char *at = name; *at != '\0'; at++)
		hash = hash * 33 + (unsigned char)*at;
	if (!read_object(module->memory, module->gnu_hash, head, sizeof head) || head[0] == 0)
		return 0;
	buckets = module->gnu_hash + sizeof head + (uint64_t)head[2] * sizeof(ElfW(Addr));
	chains = buckets + (uint64_t)head[0] * sizeof(uint32_t);
	if (!read_object(
		module->memory, buckets + hash % head[0] * sizeof index, &index, sizeof index) ||
	    index < head[1])
		return 0;
	for (int i = 0; i < MOST_CHAIN && (chain & 1) == 0; i++, index++) {
		if (!read_object(module->memory,
			chains + (uint64_t)(index - head[1]) * sizeof chain, &chain, sizeof chain))
			return 0;
		if ((chain | 1) != (hash | 1))
			continue;
		found = match(module, index, name);
		if (found != 0)
			return found;
	}
	return 0;
}

static uint64_t find_old(const struct module *module, const char *name)
{
	uint32_t head[2], index = 0, hash = 0;
	uint64_t chains, found;

	for (const char *at = name; *at != '\0'; at++) {
		hash = (hash << 4) + (unsigned char)*at;
		hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
	}
	if (!read_object(module->memory, module->hash, head, sizeof head) || head[0] == 0)
		return 0;
	chains = module->hash + sizeof head + (uint64_t)head[0] * sizeof index;
	if (!read_object(module->memory, module->hash + sizeof head + hash % head[0] * sizeof index,
		&index, sizeof index))
		return 0;
	for (int i = 0; i < MOST_CHAIN && index != 0 && index < head[1]; i++) {
		found = match(module, index, name);
		if (found != 0)
			return found;
		if (!read_object(module->memory, chains + (uint64_t)index * sizeof index, &index,
			sizeof index))
			return 0;
	}
	return 0;
}

uint64_t module_symbol(struct target_memory *memory, uint64_t base, const char *name)
{
	struct module module = {.memory = memory};

	if (!read_module(&module, base) || module.dynamic == 0 ||
	    !read_dynamic(&module, module.dynamic))
		return 0;
	return module.gnu_hash != 0 ? find_gnu(&module, name)
	       : module.hash != 0   ? find_old(&module, name)
				    : 0;
}

bool module_identify(struct target_memory *memory, uint64_t base, struct module_identity *identity)
{
	struct module module = {.memory = memory};

	if (!read_module(&module, base))
		return false;
	identity->bias = module.bias;
	memcpy(identity->build_id, module.build_id, sizeof identity->build_id);
	return true;
}
