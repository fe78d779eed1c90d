/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads call paths: each frame's caller by the tables of its file, else by the frame pointer.
 *
 * Why a handler may do this: the tables are read without a lock (unwind-tables.c). With a C library
 * that cannot find them so, frame pointers are all there is; where these lead to something that is
 * no code, the path ends. The stack is only read from the interrupted stack pointer to the stack's
 * end. On a stack that is neither the thread's nor its alternate one, for example a coroutine's,
 * that is the end of the stack pointer's page.
 */
#include "call-path.h"

#include <link.h>
#include <pthread.h>
#include <string.h>
#include <ucontext.h>

/* Written before the first handler. */
static bool has_tables;

/* Without tables: the code of the files that were loaded at the start. */
enum { MOST_CODE = 256 };
static struct unwind_stack code[MOST_CODE];
static size_t code_count;

static int add_code(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uint64_t first = info->dlpi_addr + part->p_vaddr;
		if (part->p_type == PT_LOAD && part->p_flags & PF_X && code_count < MOST_CODE)
			code[code_count++] = (struct unwind_stack){first, first + part->p_memsz};
	}
	return 0;
}

void pomp_call_path_prepare(void)
{
	has_tables = unwind_prepare();
	if (!has_tables)
		dl_iterate_phdr(add_code, NULL);
	if (UNWIND_REGISTERS > 1)
		pomp_python_prepare();
}

struct unwind_stack pomp_call_path_stack(void)
{
	pthread_attr_t attributes;
	void *low = NULL;
	size_t size = 0;

	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return (struct unwind_stack){0, 0};
	if (pthread_attr_getstack(&attributes, &low, &size) != 0)
		size = 0;
	pthread_attr_destroy(&attributes);
	return (struct unwind_stack){(uint64_t)(uintptr_t)low, (uint64_t)(uintptr_t)low + size};
}

static void take_registers(struct unwind *unwind, const ucontext_t *user)
{
#if defined __x86_64__
	static const uint8_t place[UNWIND_REGISTERS] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI,
	    REG_RDI, REG_RBP, REG_RSP, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14,
	    REG_R15, REG_RIP};

	for (int i = 0; i < UNWIND_REGISTERS; i++)
		unwind->reg[i] = (uint64_t)user->uc_mcontext.gregs[place[i]];
	unwind->pc = unwind->reg[UNWIND_RETURN];
#elif defined __aarch64__
	memcpy(unwind->reg, user->uc_mcontext.regs, sizeof(user->uc_mcontext.regs));
	unwind->reg[UNWIND_SP] = user->uc_mcontext.sp;
	unwind->pc = user->uc_mcontext.pc;
#elif defined __riscv
	unwind->pc = user->uc_mcontext.__gregs[REG_PC];
#elif defined __powerpc64__
	unwind->pc = user->uc_mcontext.gp_regs[32]; /* NIP */
#else
	(void)user;
	unwind->pc = 0;
#endif
	unwind->exact = true;
}

/* Bytes below the stack pointer that a handler leaves alone. */
#if defined __x86_64__
#define RED_ZONE 128
#else
#define RED_ZONE 0
#endif

static bool is_in(struct unwind_stack stack, uint64_t address)
{
	return address >= stack.first && address < stack.end;
}

/* Finds what may be read; returns whether that is all of the stack. */
static bool take_stack(struct unwind *unwind, struct unwind_stack own, const ucontext_t *user)
{
	uint64_t sp = unwind->reg[UNWIND_SP];
	uint64_t low = (uint64_t)(uintptr_t)user->uc_stack.ss_sp;
	struct unwind_stack other = {low, low + user->uc_stack.ss_size};
	const uint64_t page = 4096; /* at least */
	/* Below it are registers that the function has already restored. */
	const uint64_t first = sp - RED_ZONE;

	unwind->stack[1] = (struct unwind_stack){0, 0};
	if (is_in(own, sp)) {
		unwind->stack[0] = (struct unwind_stack){first, own.end};
		return true;
	}
	if (is_in(other, sp)) {
		unwind->stack[0] = (struct unwind_stack){first, other.end};
		unwind->stack[1] = own;
		return true;
	}
	unwind->stack[0] = (struct unwind_stack){sp, (sp | (page - 1)) + 1};
	return false;
}

/* Is that the address after a call? Numbers on the stack mostly are not. */
static bool is_code(uint64_t pc, uint64_t caller)
{
	const uint64_t near = UINT64_C(64) << 20, high = UINT64_C(4) << 30;

	/* Code that the program made itself is in no file. */
	if (pc > high && (caller > pc ? caller - pc : pc - caller) < near)
		return true;
	if (has_tables)
		return unwind_knows(caller - 1);
	for (size_t i = 0; i < code_count; i++)
		if (is_in(code[i], caller))
			return true;
	return false;
}

static enum unwind_result follow_frame_pointer(struct unwind *unwind)
{
	uint64_t place = unwind->reg[UNWIND_FP], fp, pc;

	if (UNWIND_REGISTERS == 1 || place % sizeof(place) != 0 || place < unwind->reg[UNWIND_SP] ||
	    !unwind_read(unwind, place, &fp) || !unwind_read(unwind, place + sizeof(place), &pc))
		return UNWIND_END;
#if defined __aarch64__
	pc &= (UINT64_C(1) << 48) - 1; /* without its signature */
#endif
	if (!is_code(unwind->pc, pc))
		return UNWIND_END;
	unwind->reg[UNWIND_SP] = place + 2 * sizeof(place);
	unwind->reg[UNWIND_FP] = fp;
	unwind->pc = pc;
	unwind->exact = false;
	return UNWIND_STEPPED;
}

static enum unwind_result step(struct unwind *unwind)
{
	enum unwind_result result = has_tables ? unwind_step(unwind) : UNWIND_NO_TABLE;

	return result == UNWIND_NO_TABLE ? follow_frame_pointer(unwind) : result;
}

static size_t put(struct pomp_call_path *path, size_t count, uint64_t word)
{
	if (count == POMP_PATH_DEPTH) {
		path->word[count - 1] = POMP_PATH_TOO_DEEP;
		return count;
	}
	path->word[count] = word;
	return count + 1;
}

/*
 * Puts Python's frames in the place of the interpreter's, in the words from `first` on. A word's
 * stack frame ends where that of the next one begins. Where Python's are not known up to the end of
 * their stack frame, nor is what is above them.
 */
static size_t put_python(struct pomp_call_path *path, size_t first, size_t count,
    struct unwind_stack stack, uint64_t limit)
{
	struct pomp_python_path *python = &path->python;
	size_t next = 0, end = first;

	if (!pomp_python_read(
		python, (struct pomp_python_range){path->stack_pointer[first], stack.end}, limit))
		return count;
	memcpy(python->rest, path->word, count * sizeof(path->word[0]));
	for (size_t i = first; i < count; i++) {
		uint64_t word = python->rest[i];
		uint64_t top = i + 1 < count ? path->stack_pointer[i + 1] : limit;
		bool is_python = pomp_python_has(word);
		if (word == POMP_PATH_TOO_DEEP && end > first)
			return put(path, end, word);
		for (; next < python->count && python->place[next] < top; next++) {
			end = put(path, end, python->word[next]);
			is_python = true;
		}
		if (is_python && next < python->count && python->place[next] == UINT64_MAX)
			break;
		if (!is_python && word != POMP_PATH_TOO_DEEP)
			end = put(path, end, word);
	}
	if (next == python->count)
		return end;
	while (next < python->count)
		end = put(path, end, python->word[next++]);
	return put(path, end, POMP_PATH_TOO_DEEP);
}

size_t pomp_call_path(
    struct pomp_call_path *path, struct unwind_stack stack, uint64_t limit, const void *context)
{
	struct unwind *unwind = &path->unwind;
	enum unwind_result result = UNWIND_STEPPED;
	size_t count = 0;

	unwind->copy = 0;
	unwind->unknown = 0;
	take_registers(unwind, context);
	bool is_whole = take_stack(unwind, stack, context);
	while (count < POMP_PATH_DEPTH && result == UNWIND_STEPPED) {
		/* A name is looked up before a return address, but a handler's caller was
		 * interrupted. */
		path->word[count] = unwind->pc + (unwind->exact && count > 0);
		path->stack_pointer[count++] = unwind->reg[UNWIND_SP];
		result = step(unwind);
		if (result == UNWIND_STEPPED && unwind->reg[UNWIND_SP] >= limit)
			return put_python(path, 0, count, stack, limit);
	}
	if (count == POMP_PATH_DEPTH && result == UNWIND_STEPPED) {
		path->word[count - 1] = POMP_PATH_TOO_DEEP;
	} else if (!is_whole && count < POMP_PATH_DEPTH) {
		path->stack_pointer[count] = unwind->reg[UNWIND_SP];
		path->word[count++] = POMP_PATH_TOO_DEEP;
	}
	return put_python(path, 0, count, stack, limit);
}

#if defined __x86_64__ || defined __aarch64__
/* Adds the word at the address; false: there is no room, or it has another value. */
static bool keep(
    const struct unwind *unwind, struct pomp_stack_words *words, uint64_t address, uint64_t value)
{
	uint64_t found = 0;

	if (words->count == sizeof(words->word) / sizeof(words->word[0]) ||
	    !unwind_read(unwind, address, &found) || found != value)
		return false;
	words->word[words->count++] =
	    (struct pomp_stack_word){(const uintptr_t *)(uintptr_t)address, (uintptr_t)value};
	return true;
}

/*
 * Keeps what leads from a frame, from `sp` on, to its caller's: the return address, and the frame
 * pointer if that leads further. Where the caller has none, it is any register, which may vary.
 */
static bool keep_frame(
    const struct unwind *unwind, struct pomp_stack_words *words, uint64_t sp, uint64_t fp)
{
	const uint64_t size = sizeof(uintptr_t), top = unwind->reg[UNWIND_SP];
	uint64_t new_fp = unwind->reg[UNWIND_FP], at = top - size;

#if defined __x86_64__
	if (!keep(unwind, words, at, unwind->pc))
		return false;
#else
	at = sp;
	while (at < top && !keep(unwind, words, at, unwind->pc))
		at += size;
	if (at == top)
		return false;
#endif
	if (new_fp == fp || new_fp < top || new_fp >= unwind->stack[0].end)
		return true;
	for (at = top - size; at >= sp; at -= size)
		if (keep(unwind, words, at, new_fp))
			return true;
	return false;
}

static void take_frame(struct unwind *unwind, struct unwind_stack stack, const uintptr_t *frame)
{
	/* Other registers are those of outer functions, which seldom lead to a caller. */
	unwind->unknown = ~(UNWIND_BIT(UNWIND_SP) | UNWIND_BIT(UNWIND_FP));
	unwind->copy = 0;
	unwind->stack[0] = (struct unwind_stack){(uint64_t)(uintptr_t)frame, stack.end};
	unwind->stack[1] = (struct unwind_stack){0, 0};
	unwind->reg[UNWIND_SP] = (uint64_t)(uintptr_t)(frame + 2);
	unwind->reg[UNWIND_FP] = frame[0];
	unwind->pc = frame[1];
	unwind->exact = false;
}

size_t pomp_call_path_of_event(struct pomp_call_path *path, size_t count, struct unwind_stack stack,
    const uintptr_t *frame, uintptr_t caller, uint64_t limit, struct pomp_stack_words *words,
    uint64_t *stack_pointer)
{
	struct unwind *unwind = &path->unwind;
	const size_t first = count;
	bool is_called = false;

	words->count = 0;
	if (!is_in(stack, (uint64_t)(uintptr_t)frame))
		return 0;
	take_frame(unwind, stack, frame);
	while (count <= POMP_PATH_DEPTH) {
		uint64_t sp = unwind->reg[UNWIND_SP], fp = unwind->reg[UNWIND_FP];
		if (sp >= limit)
			break;
		if (!is_called && unwind->pc == caller) {
			is_called = true;
			*stack_pointer = sp;
		}
		if (is_called) {
			path->stack_pointer[count] = sp;
			path->word[count++] = unwind->pc;
		}
		if (step(unwind) != UNWIND_STEPPED)
			break;
		if (unwind->exact || !keep_frame(unwind, words, sp, fp))
			return 0;
	}
	/* A longer one is not read as a whole. */
	return is_called && count <= POMP_PATH_DEPTH ? put_python(path, first, count, stack, limit)
						     : 0;
}
#else
size_t pomp_call_path_of_event(struct pomp_call_path *path, size_t count, struct unwind_stack stack,
    const uintptr_t *frame, uintptr_t caller, uint64_t limit, struct pomp_stack_words *words,
    uint64_t *stack_pointer)
{
	(void)path, (void)count, (void)stack, (void)frame, (void)caller, (void)limit, (void)words;
	(void)stack_pointer;
	return 0;
}
#endif
