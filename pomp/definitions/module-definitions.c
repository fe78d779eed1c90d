/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that ends in the usual way names its samples' addresses itself. For one that is killed,
 * the log has to say where its files were.
 */
#include "module-definitions.h"

#include "experiment.h"

#include "shared/trace-log.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_BUILD_ID = 64 };

/* Writes a file's build id in hexadecimal digits; "" without one. */
static void find_build_id(const struct dl_phdr_info *info, char digits[2 * LONGEST_BUILD_ID + 1])
{
	static const char digit[] = "0123456789abcdef";
	size_t length = 0;

	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		const char *place = (const char *)(uintptr_t)(info->dlpi_addr + part->p_vaddr);
		const char *end = place + (part->p_type == PT_NOTE ? part->p_memsz : 0);
		while ((size_t)(end - place) >= sizeof(ElfW(Nhdr)) && length == 0) {
			const ElfW(Nhdr) *note = (const void *)place;
			const char *name = (const char *)(note + 1);
			const char *id = name + ((note->n_namesz + 3U) & ~3U);
			place = id + ((note->n_descsz + 3U) & ~3U);
			if (note->n_type != NT_GNU_BUILD_ID || note->n_descsz > LONGEST_BUILD_ID ||
			    note->n_namesz != 4 || memcmp(name, "GNU", 4) != 0)
				continue;
			for (size_t j = 0; j < note->n_descsz; j++) {
				digits[length++] = digit[(unsigned char)id[j] >> 4];
				digits[length++] = digit[id[j] & 15];
			}
		}
	}
	digits[length] = '\0';
}

static int define(struct dl_phdr_info *info, size_t size, void *program)
{
	char build_id[2 * LONGEST_BUILD_ID + 1];
	const char *texts[] = {info->dlpi_name[0] != '\0' ? info->dlpi_name : program, build_id};

	(void)size;
	find_build_id(info, build_id);
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		const struct trace_log_module module = {
		    .first = info->dlpi_addr + part->p_vaddr,
		    .end = info->dlpi_addr + part->p_vaddr + part->p_memsz,
		    .bias = info->dlpi_addr,
		};
		if (part->p_type == PT_LOAD && part->p_flags & PF_X)
			pomp_experiment_append(TRACE_LOG_MODULE, &module, sizeof(module), texts, 2);
	}
	return 0;
}

void pomp_modules_define(void)
{
	char program[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

	program[length > 0 ? length : 0] = '\0';
	dl_iterate_phdr(define, program);
}
