/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ends the walk by unwind tables where the program's own code begins. Only the stack pointer and
 * the program counter of the thread are known; another register is known once a frame has saved it.
 */
#include "stack-walk.h"

#include "unwind-tables.h"

#include <limits.h>
#include <unistd.h>

static bool is_interpreter; /* the program itself is; written before the first walk */

/* Returns whether the file belongs to a language or the system, and not to the program. */
static bool is_systems(const char *path)
{
	static const char *const names[] = {"libc.so", "libc-", "libpthread", "ld-linux", "libm.so",
	    "libstdc++", "libgcc_s", "libgfortran", "librt", "libpomp", "libpython", "python3"};
	const char *name = path;

	for (const char *at = path; *at != '\0'; at++)
		if (*at == '/')
			name = at + 1;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t length = 0;
		while (names[i][length] != '\0' && name[length] == names[i][length])
			length++;
		if (names[i][length] == '\0')
			return true;
	}
	return false;
}

bool pomp_stack_walk_prepare(void)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[length > 0 ? length : 0] = '\0';
	is_interpreter = is_systems(path);
	return unwind_prepare();
}

size_t pomp_stack_walk(
    const struct pomp_stack_top *top, uint64_t *address, size_t room, size_t *used)
{
	const uint64_t first = top->stack_pointer;
	struct unwind unwind;
	size_t count = 0;
	bool is_static = false; /* the system's code is in the program's file */

	unwind.stack[0] = (struct unwind_stack){first, first + top->count * sizeof(*top->word)};
	unwind.stack[1] = (struct unwind_stack){0, 0};
	unwind.copy = (uint64_t)(uintptr_t)top->word - first;
	unwind.pc = top->program_counter;
	unwind.exact = true;
	unwind.unknown = ~UNWIND_BIT(UNWIND_SP);
	unwind.reg[UNWIND_SP] = first;
	while (count < room) {
		/* A name is looked up before a return address. */
		uint64_t before = unwind.pc - !unwind.exact;
		const char *path = unwind_file(before);

		address[count] = count > 0 ? before + 1 : unwind.pc;
		count++;
		if (path == NULL)
			break;
		bool is_programs = path[0] == '\0' ? !is_interpreter : !is_systems(path);
		if (count == 1)
			is_static = is_programs;
		else if (is_programs && !is_static)
			break;
		if (unwind_step(&unwind) != UNWIND_STEPPED)
			break;
	}
	*used = (unwind.reg[UNWIND_SP] - first) / sizeof(*top->word);
	return count;
}
