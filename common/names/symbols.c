/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Symbols contain what debug information lacks: the complete names of GCC's outlined functions, the
 * locks of criticals, and the functions and variables of files that were stripped of everything
 * else.
 */
#include "symbols.h"

#include "shared/array.h"
#include "shared/search.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* What compilers call the lock of a user's critical. */
static const char lock_prefix[] = ".gomp_critical_user_";

static void add(struct symbols *symbols, const GElf_Sym *symbol, const char *name)
{
	int type = GELF_ST_TYPE(symbol->st_info);
	struct symbol item = {symbol->st_value, symbol->st_size, name};

	if (symbol->st_shndx == SHN_UNDEF || name == NULL || name[0] == '\0')
		return;
	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		(void)ARRAY_PUSH(
		    symbols->functions, symbols->function_count, symbols->function_room, item);
	else if (strncmp(name, lock_prefix, strlen(lock_prefix)) == 0)
		(void)ARRAY_PUSH(symbols->locks, symbols->lock_count, symbols->lock_room, item);
	else if (type == STT_OBJECT && symbol->st_size > 0)
		(void)ARRAY_PUSH(
		    symbols->variables, symbols->variable_count, symbols->variable_room, item);
}

/*
 * Returns how far a name is from the one that programs use: "free" is also "__libc_free" and, for
 * programs of the past, "cfree@GLIBC_2.2.5".
 */
static size_t strangeness(const char *name)
{
	const char *version = strchr(name, '@');

	return strspn(name, "_") + (version != NULL && version[1] != '@' ? strlen(name) : 0);
}

/* At the same address, the longer function and the better name come later: they are found first. */
static int by_address(const void *left, const void *right)
{
	const struct symbol *one = left, *other = right;

	if (one->start != other->start)
		return one->start < other->start ? -1 : 1;
	if (one->size != other->size)
		return one->size < other->size ? -1 : 1;
	size_t strange = strangeness(one->name), less = strangeness(other->name);
	if (strange != less)
		return strange > less ? -1 : 1;
	return -strcmp(one->name, other->name);
}

static Elf_Scn *find_table(Elf *elf, GElf_Word type)
{
	Elf_Scn *section = NULL;
	GElf_Shdr head;

	while ((section = elf_nextscn(elf, section)) != NULL)
		if (gelf_getshdr(section, &head) != NULL && head.sh_type == type)
			break;
	return section;
}

void names_symbols_read(struct symbols *symbols, Elf *elf)
{
	Elf_Scn *section = find_table(elf, SHT_SYMTAB);
	GElf_Shdr head;
	GElf_Sym symbol;

	if (section == NULL)
		section = find_table(elf, SHT_DYNSYM);
	if (section == NULL || gelf_getshdr(section, &head) == NULL || head.sh_entsize == 0)
		return;
	Elf_Data *data = elf_getdata(section, NULL);
	for (int i = 0; data != NULL && gelf_getsym(data, i, &symbol) != NULL; i++)
		add(symbols, &symbol, elf_strptr(elf, head.sh_link, symbol.st_name));
	if (symbols->function_count > 0)
		qsort(symbols->functions, symbols->function_count, sizeof(*symbols->functions),
		    by_address);
	if (symbols->variable_count > 0)
		qsort(symbols->variables, symbols->variable_count, sizeof(*symbols->variables),
		    by_address);
}

void names_symbols_free(struct symbols *symbols)
{
	free(symbols->functions);
	free(symbols->locks);
	free(symbols->variables);
	*symbols = (struct symbols){0};
}

static const struct symbol *find(const struct symbol *symbols, size_t count, uint64_t address)
{
	size_t next;

	SEARCH(next, count, symbols[next].start <= address);
	/*
	 * A symbol that begins just before the address may be shorter than one that begins earlier
	 * and contains it. That is rare, so only a few are tried. A symbol without a size lasts
	 * until the next one begins.
	 */
	for (size_t back = 0; next > 0 && back < 8; next--, back++) {
		const struct symbol *symbol = &symbols[next - 1];
		if (symbol->size == 0 ? back == 0 : address - symbol->start < symbol->size)
			return symbol;
	}
	return NULL;
}

const struct symbol *names_symbols_function(const struct symbols *symbols, uint64_t address)
{
	return find(symbols->functions, symbols->function_count, address);
}

const struct symbol *names_symbols_variable(const struct symbols *symbols, uint64_t address)
{
	return find(symbols->variables, symbols->variable_count, address);
}

char *names_symbols_critical(const struct symbols *symbols, uint64_t address)
{
	for (size_t i = 0; i < symbols->lock_count; i++) {
		const char *name = symbols->locks[i].name + strlen(lock_prefix);
		size_t length = strlen(name);
		if (symbols->locks[i].start != address)
			continue;
		/* Clang's symbol ends with ".var". */
		if (length > 4 && strcmp(name + length - 4, ".var") == 0)
			length -= 4;
		/* A name that begins with "." is the unnamed critical's, in either compiler. */
		return length > 0 && strncmp(name, ".", 1) != 0 ? strndup(name, length) : NULL;
	}
	return NULL;
}
