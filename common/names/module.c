/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A module's file may have been replaced or removed since it ran; its build id tells. Debug
 * information is in the file itself, or in another one that is found by the build id or by name.
 */
#include "module.h"

#include <gelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

__attribute__((format(printf, 2, 3))) static void set_problem(
    struct module *module, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	free(module->problem);
	module->problem = text;
}

static bool open_if_same(struct module *module, const char *path)
{
	if (!names_elf_file_open(&module->own, path))
		return false;
	char *build_id = names_elf_file_build_id(&module->own);
	bool is_same = build_id != NULL && strcmp(build_id, module->build_id) == 0;
	if (!is_same && build_id != NULL)
		set_problem(module,
		    "is another file than the one that ran (build id %s, expected %s)",
		    build_id[0] != '\0' ? build_id : "missing",
		    module->build_id[0] != '\0' ? module->build_id : "none");
	if (!is_same)
		names_elf_file_close(&module->own);
	free(build_id);
	return is_same;
}

/*
 * Opens the file by its path; the running program, if its file was removed, by its entry in /proc.
 */
static void open_own(struct module *module)
{
	module->own.file = -1;
	if (module->path[0] == '\0') {
		set_problem(module, "code of no file");
		return;
	}
	if (module->path[0] != '/') {
		set_problem(module, "is no file");
		return;
	}
	if (open_if_same(module, module->path))
		return;
	if (module->problem == NULL)
		set_problem(module, "is not there any more, or no program");
	if (module->build_id[0] == '\0')
		return;
	char *problem = module->problem;
	module->problem = NULL;
	if (open_if_same(module, "/proc/self/exe")) {
		free(problem);
		return;
	}
	free(module->problem);
	module->problem = problem;
}

static bool has_debug_information(const struct elf_file *elf)
{
	return names_elf_file_has(elf, ".debug_info") || names_elf_file_has(elf, ".zdebug_info") ||
	       names_elf_file_has(elf, ".debug_line");
}

static void find_debug(struct module *module, const char *const *dirs)
{
	module->debug.file = -1;
	if (module->own.elf != NULL && has_debug_information(&module->own))
		return;
	if (names_debug_file_by_build_id(&module->debug, module->build_id, dirs))
		return;
	if (module->own.elf != NULL)
		names_debug_file_by_link(&module->debug, &module->own, dirs);
}

static const struct elf_file *debug_file(const struct module *module)
{
	return module->debug.elf != NULL ? &module->debug : &module->own;
}

static void open_dwarf(struct module *module, const char *const *dirs)
{
	const struct elf_file *file = debug_file(module);

	if (file->elf == NULL || !has_debug_information(file))
		return;
	module->dwarf = dwarf_begin_elf(file->elf, DWARF_C_READ, NULL);
	if (module->dwarf == NULL ||
	    !names_debug_file_supplementary(&module->supplementary, module->dwarf, file, dirs))
		return;
	module->supplementary_dwarf =
	    dwarf_begin_elf(module->supplementary.elf, DWARF_C_READ, NULL);
	if (module->supplementary_dwarf != NULL)
		dwarf_setalt(module->dwarf, module->supplementary_dwarf);
}

static void read_symbols(struct module *module)
{
	/* The separate file has all symbols, unless it has only a part of what strip removed. */
	if (module->debug.elf != NULL)
		names_symbols_read(&module->symbols, module->debug.elf);
	if (module->own.elf != NULL && module->symbols.function_count == 0)
		names_symbols_read(&module->symbols, module->own.elf);
}

void names_module_open(
    struct module *module, const char *path, const char *build_id, const char *const *debug_dirs)
{
	struct stat status;

	*module = (struct module){.path = strdup(path), .build_id = strdup(build_id)};
	module->own.file = module->debug.file = module->supplementary.file = -1;
	if (module->path == NULL || module->build_id == NULL)
		return;
	open_own(module);
	if (module->own.elf != NULL && fstat(module->own.file, &status) == 0)
		module->changed_at = status.st_mtime;
	find_debug(module, debug_dirs);
	read_symbols(module);
}

void names_module_read_debug(struct module *module, const char *const *debug_dirs,
    bool (*patience)(void *context), void *context)
{
	if (module->is_read)
		return;
	module->is_read = true;
	open_dwarf(module, debug_dirs);
	if (module->dwarf != NULL)
		module->info = names_debug_info_new(module->dwarf, patience, context);
	if (module->info != NULL) {
		free(module->problem);
		module->problem = NULL;
	} else if (module->own.elf != NULL || module->debug.elf != NULL) {
		set_problem(module, module->symbols.function_count > 0
					? "has no debug information"
					: "has neither debug information nor symbols");
	}
}

uint64_t names_module_debug_bytes(const struct module *module)
{
	const struct elf_file *file = debug_file(module);

	return module->is_read || file->elf == NULL ? 0 : names_debug_file_bytes(file);
}

void names_module_close(struct module *module)
{
	names_debug_info_free(module->info);
	names_variables_free(&module->variables);
	if (module->dwarf != NULL)
		dwarf_end(module->dwarf);
	if (module->supplementary_dwarf != NULL)
		dwarf_end(module->supplementary_dwarf);
	names_elf_file_close(&module->supplementary);
	names_elf_file_close(&module->debug);
	names_elf_file_close(&module->own);
	names_symbols_free(&module->symbols);
	free(module->path);
	free(module->build_id);
	free(module->problem);
	*module = (struct module){0};
	module->own.file = module->debug.file = module->supplementary.file = -1;
}

/* Returns the bytes [from, to) in a code section; NULL if no section contains them. */
static const unsigned char *code_at(const struct module *module, uint64_t from, uint64_t to)
{
	Elf_Scn *section = NULL;
	GElf_Shdr head;

	while ((section = elf_nextscn(module->own.elf, section)) != NULL) {
		if (gelf_getshdr(section, &head) == NULL || head.sh_type != SHT_PROGBITS ||
		    (head.sh_flags & SHF_EXECINSTR) == 0 || from < head.sh_addr ||
		    to - head.sh_addr > head.sh_size)
			continue;
		Elf_Data *data = elf_rawdata(section, NULL);
		if (data == NULL || data->d_buf == NULL || data->d_size < to - head.sh_addr)
			return NULL;
		return (const unsigned char *)data->d_buf + (from - head.sh_addr);
	}
	return NULL;
}

/*
 * Returns whether a call may lead there: to the beginning of a function, or to code outside of
 * functions, such as the PLT. Operands that look like a call mostly lead into the middle of a
 * function.
 */
static bool is_callable(const struct module *module, uint64_t address)
{
	const struct symbol *symbol = names_symbols_function(&module->symbols, address);

	return code_at(module, address, address + 1) != NULL &&
	       (symbol == NULL || symbol->size == 0 || symbol->start == address);
}

/* Returns the target of the call that ends at `end` in the code; 0: there is no call. */
static uint64_t target_x86(
    const struct module *module, const unsigned char *code, uint64_t from, uint64_t end)
{
	int32_t distance;

	/* A call through the GOT, from -fno-plt: identified by the GOT entry. */
	if (end >= 6) {
		memcpy(&distance, code + end - 4, sizeof(distance));
		if (code[end - 6] == 0xff && code[end - 5] == 0x15)
			return from + end + (uint64_t)(int64_t)distance;
	}
	if (end < 5 || code[end - 5] != 0xe8)
		return 0;
	memcpy(&distance, code + end - 4, sizeof(distance));
	uint64_t target = from + end + (uint64_t)(int64_t)distance;
	return is_callable(module, target) ? target : 0;
}

static uint64_t target_arm(const unsigned char *code, uint64_t from, uint64_t end)
{
	uint32_t instruction;

	if (end < 4 || (from + end) % 4 != 0)
		return 0;
	memcpy(&instruction, code + end - 4, sizeof(instruction));
	if ((instruction & 0xfc000000) == 0x94000000) { /* bl */
		int64_t distance = (int32_t)(instruction << 6) >> 4;
		return from + end - 4 + (uint64_t)distance;
	}
	return (instruction & 0xfffffc1f) == 0xd63f0000 ? 1 : 0; /* blr: unknown target */
}

/*
 * Instructions are not decoded: this counts bytes that look like a call of a function in this file.
 */
struct calls names_module_calls(const struct module *module, uint64_t from, uint64_t end)
{
	struct calls calls = {0};
	GElf_Ehdr head;

	if (module->own.elf == NULL || from >= end ||
	    gelf_getehdr(module->own.elf, &head) == NULL ||
	    (head.e_machine != EM_X86_64 && head.e_machine != EM_AARCH64))
		return calls;
	const unsigned char *code = code_at(module, from, end);
	if (code == NULL)
		return calls;
	bool is_arm = head.e_machine == EM_AARCH64;
	uint64_t size = end - from;
	uint64_t own = is_arm ? target_arm(code, from, size) : target_x86(module, code, from, size);
	for (uint64_t i = 1; i < size; i++) {
		uint64_t target =
		    is_arm ? target_arm(code, from, i) : target_x86(module, code, from, i);
		calls.all += target != 0;
		calls.same += target != 0 && target == own;
	}
	return calls;
}

uint64_t names_module_call_target(const struct module *module, uint64_t end)
{
	GElf_Ehdr head;
	enum { LONGEST = 6 };

	if (module->own.elf == NULL || end < LONGEST ||
	    gelf_getehdr(module->own.elf, &head) == NULL)
		return 0;
	const unsigned char *code = code_at(module, end - LONGEST, end);
	if (code == NULL)
		return 0;
	if (head.e_machine == EM_X86_64)
		return target_x86(module, code, end - LONGEST, LONGEST);
	return head.e_machine == EM_AARCH64 ? target_arm(code, end - LONGEST, LONGEST) : 0;
}
