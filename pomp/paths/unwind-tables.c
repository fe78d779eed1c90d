/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds a function's entry with the binary search table of its file (.eh_frame_hdr), executes the
 * entry's instructions up to the frame's address, and computes the caller's registers from the
 * rules that result.
 *
 * libgcc's unwinder does the same, but not in a handler: it takes a lock in programs that register
 * tables of code that they have made themselves, in older versions and in static programs also in
 * others, reads memory without asking whether it is there, and needs 3 KB of stack. Tables that a
 * program registers are not looked at.
 *
 * Why a handler may run this: it calls nothing but _dl_find_object(), writes only *unwind, and
 * reads the tables of files that are loaded: the thread has frames in them.
 */
#include "unwind-tables.h"

#include "find-object.h"

#include <stddef.h>
#include <string.h>

enum rule_kind {
	RULE_SAME,             /* the caller's value is the frame's */
	RULE_UNDEFINED,        /* there is none */
	RULE_OFFSET,           /* in memory, at the frame's address + value */
	RULE_VALUE,            /* the frame's address + value itself */
	RULE_REGISTER,         /* in another register */
	RULE_EXPRESSION,       /* value is an expression, as a pointer: its result's memory ... */
	RULE_VALUE_EXPRESSION, /* ... or its result itself */
};

/* Encodings of pointers: a size and sign, and what is added. */
enum {
	POINTER_ABSOLUTE = 0x00,
	POINTER_U4 = 0x03,
	POINTER_U8 = 0x04,
	POINTER_S4 = 0x0b,
	POINTER_S8 = 0x0c,
	POINTER_FORMAT = 0x0f,
	POINTER_RELATIVE = 0x10, /* to its own place */
	POINTER_TO_TABLE = 0x30, /* relative to the search table */
};

static find_object *find; /* written before the first handler and the observer */

bool unwind_prepare(void)
{
	if (find == NULL && UNWIND_REGISTERS > 1)
		find = pomp_find_object();
	return find != NULL;
}

static bool find_file(uint64_t address, struct found_object *object)
{
	return find != NULL && find((void *)(uintptr_t)address, object) == 0;
}

const char *unwind_file(uint64_t address)
{
	struct found_object object;

	return find_file(address, &object) ? object.map->l_name : NULL;
}

/* Bytes that are read one after the other. Behind the end they are zero, and `bad` says so. */
struct bytes {
	const uint8_t *at, *end;
	bool bad;
};

static uint64_t read_fixed(struct bytes *bytes, size_t size)
{
	uint64_t value = 0;

	if ((size_t)(bytes->end - bytes->at) < size) {
		bytes->bad = true;
		bytes->at = bytes->end;
		return 0;
	}
	memcpy(&value, bytes->at, size);
	bytes->at += size;
	return value;
}

static uint64_t read_unsigned(struct bytes *bytes)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint64_t byte = read_fixed(bytes, 1);
		value |= (byte & 0x7f) << shift;
		if (!(byte & 0x80))
			break;
	}
	return value;
}

static int64_t read_signed(struct bytes *bytes)
{
	uint64_t value = 0, byte = 0;
	unsigned shift = 0;

	do {
		byte = read_fixed(bytes, 1);
		value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && shift < 64);
	if (shift < 64 && byte & 0x40)
		value |= UINT64_MAX << shift;
	return (int64_t)value;
}

static int64_t read_half(struct bytes *bytes)
{
	return (int32_t)(uint32_t)read_fixed(bytes, 4);
}

/* Reads the absolute or relative pointer of a function. */
static uint64_t read_pointer(struct bytes *bytes, unsigned encoding)
{
	uint64_t place = (uint64_t)(uintptr_t)bytes->at, value = 0;

	switch (encoding & POINTER_FORMAT) {
	case POINTER_S4:
		value = (uint64_t)read_half(bytes);
		break;
	case POINTER_U4:
		value = read_fixed(bytes, 4);
		break;
	case POINTER_ABSOLUTE:
	case POINTER_U8:
	case POINTER_S8:
		value = read_fixed(bytes, 8);
		break;
	default:
		bytes->bad = true;
	}
	if ((encoding & ~POINTER_FORMAT) == POINTER_RELATIVE)
		value += place;
	else if ((encoding & ~POINTER_FORMAT) != 0)
		bytes->bad = true;
	return value;
}

/* One function's entry. */
struct entry {
	struct bytes common, own; /* instructions: of all functions like it, and its own */
	uint64_t begin, size;
	uint64_t code_factor;
	int64_t data_factor;
	unsigned encoding;
	bool is_signal_frame;
};

/* Reads an entry's length; *bytes then ends with the entry. */
static void read_length(struct bytes *bytes)
{
	uint64_t length = read_fixed(bytes, 4);

	if (length >= 0xfffffff0 || length > (uint64_t)(bytes->end - bytes->at))
		bytes->bad = true;
	else
		bytes->end = bytes->at + length;
}

/* Reads what functions have in common (CIE). Returns whether their entries have an augmentation. */
static bool read_common(struct entry *entry, struct bytes *bytes)
{
	read_length(bytes);
	if (read_fixed(bytes, 4) != 0)
		bytes->bad = true;
	uint64_t version = read_fixed(bytes, 1);
	const char *letters = (const char *)bytes->at;
	while (read_fixed(bytes, 1) != 0)
		;
	entry->code_factor = read_unsigned(bytes);
	entry->data_factor = read_signed(bytes);
	uint64_t column = version == 1 ? read_fixed(bytes, 1) : read_unsigned(bytes);
	if (bytes->bad || (version != 1 && version != 3) || column != UNWIND_RETURN)
		bytes->bad = true;
	entry->encoding = POINTER_ABSOLUTE;
	if (bytes->bad || letters[0] != 'z') {
		bytes->bad |= letters[0] != '\0';
		return false;
	}
	uint64_t length = read_unsigned(bytes);
	if (length > (uint64_t)(bytes->end - bytes->at)) {
		bytes->bad = true;
		return false;
	}
	const uint8_t *instructions = bytes->at + length;
	for (letters++; *letters != '\0' && !bytes->bad; letters++) {
		if (*letters == 'R')
			entry->encoding = (unsigned)read_fixed(bytes, 1);
		else if (*letters == 'L')
			read_fixed(bytes, 1);
		else if (*letters == 'P') /* a routine, perhaps indirectly: not needed */
			read_pointer(bytes, read_fixed(bytes, 1) & POINTER_FORMAT);
		else if (*letters == 'S')
			entry->is_signal_frame = true;
	}
	bytes->at = instructions;
	return true;
}

/* Longer entries are taken for damage. */
#define LONGEST_ENTRY (1 << 20)

/* Reads the entry (FDE) at `place`. */
static bool read_entry(struct entry *entry, const uint8_t *place)
{
	struct bytes own = {place, place + LONGEST_ENTRY, false};

	*entry = (struct entry){.code_factor = 1};
	read_length(&own);
	const uint8_t *here = own.at;
	uint64_t distance = read_fixed(&own, 4);
	if (own.bad || distance == 0)
		return false;
	struct bytes common = {here - distance, here - distance + LONGEST_ENTRY, false};
	bool has_augmentation = read_common(entry, &common);
	if (common.bad)
		return false;
	entry->begin = read_pointer(&own, entry->encoding);
	entry->size = read_pointer(&own, entry->encoding & POINTER_FORMAT);
	if (has_augmentation) {
		uint64_t length = read_unsigned(&own);
		if (length > (uint64_t)(own.end - own.at))
			return false;
		own.at += length;
	}
	entry->common = common;
	entry->own = own;
	return !own.bad;
}

/* Returns the place of the last entry that begins at or before the address; NULL: there is none. */
static const uint8_t *search_table(const uint8_t *table, uint64_t address)
{
	enum { HEAD = 12, ROW = 8 };
	uint32_t count;

	/* All linkers write it in this form. */
	if (table[0] != 1 || (table[1] & POINTER_FORMAT) != POINTER_S4 || table[2] != POINTER_U4 ||
	    table[3] != (POINTER_TO_TABLE | POINTER_S4))
		return NULL;
	memcpy(&count, table + 8, sizeof(count));
	int64_t wanted = (int64_t)(address - (uint64_t)(uintptr_t)table);
	size_t low = 0, high = count;
	int32_t row[2];
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		memcpy(row, table + HEAD + middle * ROW, sizeof(row));
		if (row[0] <= wanted)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;
	memcpy(row, table + HEAD + (low - 1) * ROW, sizeof(row));
	return table + row[1];
}

static bool find_entry(struct entry *entry, uint64_t address)
{
	struct found_object object;

	if (!find_file(address, &object) || object.tables == NULL)
		return false;
	const uint8_t *place = search_table(object.tables, address);
	return place != NULL && read_entry(entry, place) && address - entry->begin < entry->size;
}

bool unwind_knows(uint64_t address)
{
	struct entry entry;

	return find_entry(&entry, address);
}

static bool is_known(const struct unwind *unwind, uint64_t number)
{
	return number < UNWIND_REGISTERS && !(unwind->unknown & UNWIND_BIT(number));
}

/* An expression's operands; what does not fit or is unknown makes it bad. */
struct operands {
	uint64_t value[8];
	unsigned count;
	bool bad;
};

static void push(struct operands *operands, uint64_t value)
{
	if (operands->count == sizeof(operands->value) / sizeof(operands->value[0]))
		operands->bad = true;
	else
		operands->value[operands->count++] = value;
}

static uint64_t pop(struct operands *operands)
{
	if (operands->count == 0) {
		operands->bad = true;
		return 0;
	}
	return operands->value[--operands->count];
}

/* The operations on two operands that tables of procedure linkage, and of handlers, use. */
static void compute(struct operands *operands, unsigned operation)
{
	uint64_t second = pop(operands), first = pop(operands);

	switch (operation) {
	case 0x1a: /* DW_OP_and */
		push(operands, first & second);
		break;
	case 0x1c: /* DW_OP_minus */
		push(operands, first - second);
		break;
	case 0x22: /* DW_OP_plus */
		push(operands, first + second);
		break;
	case 0x24: /* DW_OP_shl */
		push(operands, second < 64 ? first << second : 0);
		break;
	case 0x2a: /* DW_OP_ge */
		push(operands, (int64_t)first >= (int64_t)second);
		break;
	default:
		operands->bad = true;
	}
}

static void push_constant(struct operands *operands, struct bytes *bytes, unsigned operation)
{
	switch (operation) {
	case 0x08: /* DW_OP_const1u */
		push(operands, read_fixed(bytes, 1));
		break;
	case 0x09: /* DW_OP_const1s */
		push(operands, (uint64_t)(int8_t)read_fixed(bytes, 1));
		break;
	case 0x0a: /* DW_OP_const2u */
		push(operands, read_fixed(bytes, 2));
		break;
	case 0x0b: /* DW_OP_const2s */
		push(operands, (uint64_t)(int16_t)read_fixed(bytes, 2));
		break;
	case 0x0c: /* DW_OP_const4u */
		push(operands, read_fixed(bytes, 4));
		break;
	case 0x0d: /* DW_OP_const4s */
		push(operands, (uint64_t)read_half(bytes));
		break;
	case 0x10: /* DW_OP_constu */
		push(operands, read_unsigned(bytes));
		break;
	case 0x11: /* DW_OP_consts */
		push(operands, (uint64_t)read_signed(bytes));
		break;
	default:
		compute(operands, operation);
	}
}

/* Computes an expression (its length, then its operations); `first` is on the stack at the start.
 */
static bool evaluate(
    const struct unwind *unwind, const uint8_t *expression, const uint64_t *first, uint64_t *result)
{
	struct bytes bytes = {expression, expression + 10, false};
	struct operands operands = {.count = 0};
	uint64_t length = read_unsigned(&bytes), value;

	bytes.end = bytes.at + length;
	if (first != NULL)
		push(&operands, *first);
	while (bytes.at < bytes.end && !bytes.bad && !operands.bad) {
		unsigned operation = (unsigned)read_fixed(&bytes, 1);
		if (operation == 0x06) { /* DW_OP_deref */
			if (!unwind_read(unwind, pop(&operands), &value))
				return false;
			push(&operands, value);
		} else if (operation >= 0x30 && operation < 0x50) { /* DW_OP_lit0 .. 31 */
			push(&operands, operation - 0x30);
		} else if (operation >= 0x70 && operation < 0x90) { /* DW_OP_breg0 .. 31 */
			unsigned number = operation - 0x70;
			int64_t offset = read_signed(&bytes);
			if (!is_known(unwind, number))
				return false;
			push(&operands, unwind->reg[number] + (uint64_t)offset);
		} else if (operation == 0x23) { /* DW_OP_plus_uconst */
			push(&operands, pop(&operands) + read_unsigned(&bytes));
		} else {
			push_constant(&operands, &bytes, operation);
		}
	}
	*result = pop(&operands);
	return !bytes.bad && !operands.bad;
}

static void set_rule(struct unwind_row *row, uint64_t number, enum rule_kind kind, int64_t value)
{
	if (number < UNWIND_REGISTERS) /* vector registers are of no use */
		row->rule[number] = (struct unwind_rule){value, kind};
}

/* Skips an expression, and returns where it begins: with its length. */
static const uint8_t *take_expression(struct bytes *bytes)
{
	const uint8_t *begin = bytes->at;
	uint64_t length = read_unsigned(bytes);

	if (length > (uint64_t)(bytes->end - bytes->at))
		bytes->bad = true;
	else
		bytes->at += length;
	return begin;
}

/* An instruction about the frame's address; false: it is not one. */
static bool change_address(
    struct unwind_row *row, const struct entry *entry, struct bytes *bytes, unsigned code)
{
	switch (code) {
	case 0x0c: /* DW_CFA_def_cfa */
		row->cfa_register = read_unsigned(bytes);
		row->cfa_offset = (int64_t)read_unsigned(bytes);
		row->expression = NULL;
		return true;
	case 0x0d: /* DW_CFA_def_cfa_register */
		row->cfa_register = read_unsigned(bytes);
		row->expression = NULL;
		return true;
	case 0x0e: /* DW_CFA_def_cfa_offset */
		row->cfa_offset = (int64_t)read_unsigned(bytes);
		return true;
	case 0x0f: /* DW_CFA_def_cfa_expression */
		row->expression = take_expression(bytes);
		return true;
	case 0x12: /* DW_CFA_def_cfa_sf */
		row->cfa_register = read_unsigned(bytes);
		row->cfa_offset = read_signed(bytes) * entry->data_factor;
		row->expression = NULL;
		return true;
	case 0x13: /* DW_CFA_def_cfa_offset_sf */
		row->cfa_offset = read_signed(bytes) * entry->data_factor;
		return true;
	default:
		return false;
	}
}

/* An instruction about a register. */
static void change_register(struct unwind_row *row, const struct unwind_row *initial,
    const struct entry *entry, struct bytes *bytes, unsigned code)
{
	uint64_t number = read_unsigned(bytes);

	switch (code) {
	case 0x05: /* DW_CFA_offset_extended */
		set_rule(
		    row, number, RULE_OFFSET, (int64_t)read_unsigned(bytes) * entry->data_factor);
		break;
	case 0x06: /* DW_CFA_restore_extended */
		if (number < UNWIND_REGISTERS)
			row->rule[number] = initial->rule[number];
		break;
	case 0x07: /* DW_CFA_undefined */
		set_rule(row, number, RULE_UNDEFINED, 0);
		break;
	case 0x08: /* DW_CFA_same_value */
		set_rule(row, number, RULE_SAME, 0);
		break;
	case 0x09: /* DW_CFA_register */
		set_rule(row, number, RULE_REGISTER, (int64_t)read_unsigned(bytes));
		break;
	case 0x10: /* DW_CFA_expression */
		set_rule(row, number, RULE_EXPRESSION, (intptr_t)take_expression(bytes));
		break;
	case 0x11: /* DW_CFA_offset_extended_sf */
		set_rule(row, number, RULE_OFFSET, read_signed(bytes) * entry->data_factor);
		break;
	case 0x14: /* DW_CFA_val_offset */
		set_rule(
		    row, number, RULE_VALUE, (int64_t)read_unsigned(bytes) * entry->data_factor);
		break;
	case 0x15: /* DW_CFA_val_offset_sf */
		set_rule(row, number, RULE_VALUE, read_signed(bytes) * entry->data_factor);
		break;
	case 0x16: /* DW_CFA_val_expression */
		set_rule(row, number, RULE_VALUE_EXPRESSION, (intptr_t)take_expression(bytes));
		break;
	case 0x2e: /* DW_CFA_GNU_args_size: its operand was `number` */
		break;
	default:
		bytes->bad = true;
	}
}

/* Saves the rules or takes them back. */
static void change_row(struct unwind *unwind, unsigned *saved, struct bytes *bytes, bool saves)
{
	if (saves ? *saved == UNWIND_SAVED_ROWS : *saved == 0)
		bytes->bad = true;
	else if (saves)
		unwind->saved[(*saved)++] = unwind->row;
	else
		unwind->row = unwind->saved[--*saved];
}

/* Executes instructions until they are about an address behind pc. */
static bool execute(
    struct unwind *unwind, const struct entry *entry, struct bytes bytes, uint64_t pc)
{
	enum { OPERAND = 0x3f };
	uint64_t place = entry->begin;
	unsigned saved = 0;

	while (bytes.at < bytes.end && !bytes.bad) {
		unsigned code = (unsigned)read_fixed(&bytes, 1), operand = code & OPERAND;
		uint64_t distance = 0;
		if (code >> 6 == 1) /* DW_CFA_advance_loc */
			distance = operand;
		else if (code >> 6 == 2) /* DW_CFA_offset */
			set_rule(&unwind->row, operand, RULE_OFFSET,
			    (int64_t)read_unsigned(&bytes) * entry->data_factor);
		else if (code >> 6 == 3 && operand < UNWIND_REGISTERS) /* DW_CFA_restore */
			unwind->row.rule[operand] = unwind->initial.rule[operand];
		else if (code == 0x01) /* DW_CFA_set_loc */
			place = read_pointer(&bytes, entry->encoding);
		else if (code >= 0x02 && code <= 0x04) /* DW_CFA_advance_loc1, 2, 4 */
			distance = read_fixed(&bytes, (size_t)1 << (code - 2));
		else if (code == 0x0a || code == 0x0b) /* DW_CFA_remember_state, restore_state */
			change_row(unwind, &saved, &bytes, code == 0x0a);
		else if (code >> 6 == 0 && code != 0x00 && code != 0x2d && /* aarch64: signs */
			 !change_address(&unwind->row, entry, &bytes, code))
			change_register(&unwind->row, &unwind->initial, entry, &bytes, code);
		place += distance * entry->code_factor;
		if (place > pc)
			return true;
	}
	return !bytes.bad;
}

static bool find_address(const struct unwind *unwind, uint64_t *address)
{
	const struct unwind_row *row = &unwind->row;

	if (row->expression != NULL)
		return evaluate(unwind, row->expression, NULL, address);
	if (!is_known(unwind, row->cfa_register))
		return false;
	*address = unwind->reg[row->cfa_register] + (uint64_t)row->cfa_offset;
	return true;
}

/* Finds the caller's value of a register; false: it is not known, or cannot be read. */
static bool apply_rule(const struct unwind *unwind, unsigned number, uint64_t cfa, uint64_t *value)
{
	const struct unwind_rule *rule = &unwind->row.rule[number];
	uint64_t source = number;
	uint64_t place = cfa + (uint64_t)rule->value;
	const uint8_t *expression = (const uint8_t *)(intptr_t)rule->value;

	switch ((enum rule_kind)rule->kind) {
	case RULE_OFFSET:
		return unwind_read(unwind, place, value);
	case RULE_VALUE:
		*value = place;
		return true;
	case RULE_REGISTER:
		source = (uint64_t)rule->value;
		break;
	case RULE_EXPRESSION:
		return evaluate(unwind, expression, &cfa, &place) &&
		       unwind_read(unwind, place, value);
	case RULE_VALUE_EXPRESSION:
		return evaluate(unwind, expression, &cfa, value);
	case RULE_UNDEFINED:
		return false;
	case RULE_SAME:
		if (number != UNWIND_SP)
			break;
		*value = cfa;
		return true;
	}
	if (!is_known(unwind, source))
		return false;
	*value = unwind->reg[source];
	return true;
}

/* Makes the caller's registers from the rules. A register that is not known then only ends the walk
 * if it is the return address or the stack pointer. */
static enum unwind_result enter_caller(struct unwind *unwind, bool is_signal_frame)
{
	uint64_t cfa;
	uint32_t unknown = 0;

	if (!find_address(unwind, &cfa))
		return UNWIND_END;
	for (unsigned i = 0; i < UNWIND_REGISTERS; i++)
		if (!apply_rule(unwind, i, cfa, &unwind->caller[i])) {
			if (i == UNWIND_RETURN || i == UNWIND_SP)
				return UNWIND_END;
			unwind->caller[i] = 0;
			unknown |= UNWIND_BIT(i);
		}
	uint64_t pc = unwind->caller[UNWIND_RETURN];
#if defined __aarch64__
	pc &= (UINT64_C(1) << 48) - 1; /* without its signature */
	if (is_signal_frame)
		return UNWIND_END;
#endif
	/* Stacks grow downwards; only a handler's frame may have its caller on another stack. */
	if (pc == 0 || (!is_signal_frame && unwind->caller[UNWIND_SP] < unwind->reg[UNWIND_SP]) ||
	    (pc == unwind->pc && unwind->caller[UNWIND_SP] == unwind->reg[UNWIND_SP]))
		return UNWIND_END;
	memcpy(unwind->reg, unwind->caller, sizeof(unwind->reg));
	unwind->pc = pc;
	unwind->exact = is_signal_frame;
	unwind->unknown = unknown;
	return UNWIND_STEPPED;
}

enum unwind_result unwind_step(struct unwind *unwind)
{
	struct entry entry;
	/* A call may be its function's last instruction. */
	uint64_t pc = unwind->exact ? unwind->pc : unwind->pc - 1;

	if (!find_entry(&entry, pc))
		return UNWIND_NO_TABLE;
	/* A signal frame's rules hold from before its first instruction. */
	if (entry.is_signal_frame)
		pc = unwind->pc;
	memset(&unwind->row, 0, sizeof(unwind->row));
	if (!execute(unwind, &entry, entry.common, UINT64_MAX))
		return UNWIND_END;
	unwind->initial = unwind->row;
	if (!execute(unwind, &entry, entry.own, pc))
		return UNWIND_END;
	return enter_caller(unwind, entry.is_signal_frame);
}
