/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which processes obey the variables that begin with KMP_: those with an object that needs libomp
 * or libiomp5. If there is no such variable, only the names in the environment are read, once.
 */
#include "llvm.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "environment.h"
#include "message.h"

static bool is_kmp(const char *entry)
{
	return strncmp(entry, "KMP_", 4) == 0;
}

static bool is_llvm(const char *library)
{
	return strncmp(library, "libomp.so", 9) == 0 || strncmp(library, "libiomp5.so", 11) == 0;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * Does the object need one of these libraries? Its table contains offsets if it is not loaded yet.
 */
static bool needs_llvm(const struct dl_phdr_info *object, const ElfW(Dyn) * entries)
{
	const char *texts = NULL;

	for (const ElfW(Dyn) *entry = entries; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_STRTAB)
			texts =
			    (const char *)(uintptr_t)(entry->d_un.d_ptr < object->dlpi_addr
							  ? object->dlpi_addr + entry->d_un.d_ptr
							  : entry->d_un.d_ptr);
	if (!texts)
		return false;
	for (const ElfW(Dyn) *entry = entries; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_NEEDED && is_llvm(texts + entry->d_un.d_val))
			return true;
	return false;
}

static int look(struct dl_phdr_info *object, size_t size, void *found)
{
	bool *has = found;

	(void)size;
	*has = is_llvm(last_part(object->dlpi_name));
	for (size_t i = 0; i < object->dlpi_phnum && !*has; i++)
		if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
			*has = needs_llvm(
			    object, (const ElfW(Dyn) *)(uintptr_t)(object->dlpi_addr +
								   object->dlpi_phdr[i].p_vaddr));
	return *has;
}

bool rt_environment_has_llvm(void)
{
	bool has = false;

	for (char **entry = environ; entry && *entry; entry++)
		if (is_kmp(*entry)) {
			dl_iterate_phdr(look, &has);
			return has;
		}
	return false;
}

static bool is_known(const char *entry, const struct rt_variable *variable)
{
	for (; variable->name; variable++) {
		size_t length = strlen(variable->name);
		if (strncmp(entry, variable->name, length) == 0 && entry[length] == '=')
			return true;
	}
	return false;
}

void rt_environment_report_unknown(const struct rt_variable *variables)
{
	for (char **entry = environ; entry && *entry; entry++)
		if (is_kmp(*entry) && !is_known(*entry, variables))
			rt_message("%.*s has no effect in this runtime", (int)strcspn(*entry, "="),
			    *entry);
}
