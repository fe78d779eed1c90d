/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks the interpreter's frames from a thread's innermost one. The interpreter's C function
 * executes a frame and those that this one calls in Python; these are a run. In 3.11 it has a
 * struct _PyCFrame on the stack for each run, later a frame that only marks the run's end.
 *
 * Where things are in memory is the same in all releases of one version. Before it is relied on,
 * the sizes of types that the interpreter itself states are compared.
 */
#include "python-frames.h"

#include "python-symbol.h"

#include "shared/text-hash.h"

#include <link.h>
#include <string.h>
#include <unistd.h>

/* Offsets, which differ between versions. */
struct layout {
	uint16_t version; /* 0x30b: 3.11 */
	uint16_t state_frame, state_exception, state_chunk;
	uint16_t run_frame, run_previous; /* of struct _PyCFrame; 0, 0: there is none */
	uint16_t frame_code, frame_previous, frame_owner;
	uint16_t code_line, code_first_traceable, code_units;
	uint16_t text_bytes, wide_text_bytes; /* of texts in ASCII, and of others */
	uint16_t generator_size;
	bool has_entry; /* a run's last frame has a flag, before its owner */
};

static const struct layout layouts[] = {
    {0x30b, 56, 120, 296, 8, 16, 32, 48, 69, 72, 168, 184, 48, 72, 152, true},
    {0x30c, 56, 104, 232, 0, 8, 0, 8, 70, 68, 176, 192, 40, 56, 144, false},
    {0x30d, 72, 120, 232, 0, 0, 0, 8, 70, 68, 184, 200, 40, 56, 144, false},
};

/* Offsets, which do not. */
enum {
	OBJECT_COUNT = 0,
	OBJECT_TYPE = 8,
	OBJECT_SIZE = 16,
	TYPE_BYTES = 32,
	EXCEPTION_PREVIOUS = 8,
	CHUNK_PREVIOUS = 0,
	CHUNK_SIZE = 8,
	CHUNK_DATA = 24,
	STATE_TOP = 8, /* after the chunk */
	FRAME_INSTRUCTION = 56,
	FRAME_STACK_TOP = 64,
	FRAME_BYTES = 72,
	GENERATOR_FRAME = 32, /* after its exceptions */
	CODE_FILE = 112,
	CODE_FUNCTION = 128,
	CODE_LINES = 136,
	TEXT_LENGTH = 16,
	TEXT_STATE = 32,
	TEXT_KIND = 0x1c,
	TEXT_COMPACT = 0x20,
	TEXT_ASCII = 0x40,
	BYTES_DATA = 32,
	OWNED_BY_GENERATOR = 1,
	OWNED_BY_C_STACK = 3,
};

enum {
	MOST_CHUNKS = 1000,           /* of a deep stack of frames */
	MOST_STEPS = 400,             /* frames and marks of a walk */
	MOST_LINE_BYTES = 32768,      /* of tables of lines that one path needs */
	MOST_OBJECT_BYTES = 64 << 20, /* a longer text or table is none */
};

/* Written before the first handler. */
static struct {
	const struct layout *layout; /* NULL: there is no interpreter that is known */
	void *(*state)(void);
	uint64_t code_type, text_type;
	struct pomp_python_range code; /* that is only the interpreter's */
} python;

static uint64_t word_at(uint64_t address)
{
	return *(const uint64_t *)(uintptr_t)address;
}

static int32_t half_at(uint64_t address)
{
	return *(const int32_t *)(uintptr_t)address;
}

static uint8_t byte_at(uint64_t address)
{
	return *(const uint8_t *)(uintptr_t)address;
}

static bool is_in(struct pomp_python_range stack, uint64_t address)
{
	return address >= stack.first && address < stack.end;
}

static uint64_t symbol(const char *name)
{
	return (uint64_t)(uintptr_t)pomp_python_symbol(name);
}

static bool type_has(const char *name, uint64_t bytes)
{
	uint64_t type = symbol(name);

	return type != 0 && word_at(type + TYPE_BYTES) == bytes;
}

static const struct layout *find_layout(void)
{
	/* The layouts are those of 64 bits. */
	uint64_t version = sizeof(void *) == 8 ? symbol("Py_Version") : 0;

	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]) && version != 0; i++) {
		const struct layout *layout = &layouts[i];
		if (layout->version == word_at(version) >> 16 &&
		    type_has("PyCode_Type", layout->code_units) &&
		    type_has("PyGen_Type", layout->generator_size) &&
		    type_has("PyUnicode_Type", layout->wide_text_bytes + 8u) &&
		    type_has("PyBytes_Type", BYTES_DATA + 1))
			return layout;
	}
	return NULL;
}

/* The program may have the interpreter and code of its own in one file. */
static bool is_python_itself(const char *name)
{
	char program[4096];
	ssize_t length = 0;

	if (name[0] == '\0') {
		length = readlink("/proc/self/exe", program, sizeof(program) - 1);
		program[length > 0 ? length : 0] = '\0';
		name = program;
	}
	const char *slash = strrchr(name, '/');
	const char *file = slash != NULL ? slash + 1 : name;
	return strncmp(file, "python", 6) == 0 || strncmp(file, "libpython", 9) == 0;
}

static int find_code(struct dl_phdr_info *info, size_t size, void *function)
{
	(void)size;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uint64_t first = info->dlpi_addr + part->p_vaddr;
		struct pomp_python_range code = {first, first + part->p_memsz};
		if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) ||
		    !is_in(code, (uint64_t)(uintptr_t)function))
			continue;
		if (is_python_itself(info->dlpi_name))
			python.code = code;
		return 1;
	}
	return 0;
}

void pomp_python_prepare(void)
{
	const struct layout *layout = find_layout();

	/* It gets what the C library keeps for the thread, and does nothing else. */
	*(void **)&python.state = pomp_python_symbol("PyGILState_GetThisThreadState");
	if (layout == NULL || python.state == NULL || !pomp_python_names_prepare())
		return;
	python.code_type = symbol("PyCode_Type");
	python.text_type = symbol("PyUnicode_Type");
	dl_iterate_phdr(find_code, *(void **)&python.state);
	python.state(); /* the loader finds what it calls */
	python.layout = layout;
}

bool pomp_python_has(uint64_t address)
{
	return is_in(python.code, address);
}

/* A walk over the frames of a thread. */
struct walk {
	const struct layout *layout;
	struct pomp_python_range stack; /* the thread's, as far as it is in use */
	uint64_t frame;                 /* the next one */
	uint64_t run;                   /* 3.11: struct _PyCFrame */
	uint64_t chunk, chunk_end;      /* what was used of it: a piece of the stack of frames */
	uint64_t exception;             /* of the innermost generators that were not found yet */
	uint64_t place;                 /* in the stack, of the run that has ended */
	unsigned steps, line_bytes;     /* that were read */
	bool is_innermost, ends_run;
};

enum step { WALK_FRAME, WALK_RUN_ENDS, WALK_ENDS };

static bool begin(struct walk *walk, struct pomp_python_range stack)
{
	const struct layout *layout = python.layout;
	uint64_t state = layout != NULL ? (uint64_t)(uintptr_t)python.state() : 0;

	if (state == 0)
		return false;
	*walk = (struct walk){.layout = layout, .stack = stack, .is_innermost = true};
	walk->frame = word_at(state + layout->state_frame);
	if (layout->run_previous != 0) {
		walk->run = walk->frame;
		if (!is_in(stack, walk->run))
			return false;
		walk->frame = word_at(walk->run + layout->run_frame);
	}
	walk->chunk = word_at(state + layout->state_chunk);
	walk->chunk_end = word_at(state + layout->state_chunk + STATE_TOP);
	walk->exception = word_at(state + layout->state_exception);
	return true;
}

/* Outer frames are in the same piece or in outer ones. */
static bool is_in_chunk(struct walk *walk, uint64_t frame)
{
	uint64_t chunk = walk->chunk, end = walk->chunk_end;

	for (int i = 0; i < MOST_CHUNKS && chunk != 0; i++) {
		struct pomp_python_range data = {chunk + CHUNK_DATA, end};
		if (is_in(data, frame) && is_in(data, frame + FRAME_BYTES - 1)) {
			walk->chunk = chunk;
			walk->chunk_end = end;
			return true;
		}
		chunk = word_at(chunk + CHUNK_PREVIOUS);
		end = chunk != 0 ? chunk + word_at(chunk + CHUNK_SIZE) : 0;
	}
	return false;
}

/* A generator that is executed handles exceptions of its own, in the same order. */
static bool is_in_generator(struct walk *walk, uint64_t frame)
{
	uint64_t exception = walk->exception;

	for (int i = 0; i < MOST_STEPS && exception != 0; i++) {
		uint64_t next = word_at(exception + EXCEPTION_PREVIOUS);
		if (exception + GENERATOR_FRAME == frame) {
			walk->exception = next;
			return true;
		}
		exception = next;
	}
	return false;
}

/* 3.11: the frame was the last one of its run. */
static enum step end_run(struct walk *walk)
{
	const struct layout *layout = walk->layout;

	walk->ends_run = false;
	if (!is_in(walk->stack, walk->run))
		return WALK_ENDS;
	walk->place = walk->run;
	walk->run = word_at(walk->run + layout->run_previous);
	return WALK_RUN_ENDS;
}

/* Goes on to the next frame. WALK_RUN_ENDS: those since the latest run belong to walk->place. */
static enum step step(struct walk *walk, uint64_t *frame)
{
	const struct layout *layout = walk->layout;

	if (walk->ends_run)
		return end_run(walk);
	*frame = walk->frame;
	if (walk->steps++ == MOST_STEPS || *frame == 0 || *frame % 8 != 0)
		return WALK_ENDS;
	bool marks_end = is_in(walk->stack, *frame) && is_in(walk->stack, *frame + FRAME_BYTES);
	if (marks_end && byte_at(*frame + layout->frame_owner) != OWNED_BY_C_STACK)
		return WALK_ENDS;
	if (!marks_end && !is_in_chunk(walk, *frame) && !is_in_generator(walk, *frame))
		return WALK_ENDS;
	walk->frame = word_at(*frame + layout->frame_previous);
	walk->place = *frame;
	walk->ends_run = layout->has_entry && byte_at(*frame + layout->frame_owner - 1u) != 0;
	return marks_end ? WALK_RUN_ENDS : WALK_FRAME;
}

static bool is_object(uint64_t object, uint64_t type)
{
	return object != 0 && object % 8 == 0 && (int32_t)word_at(object + OBJECT_COUNT) != 0 &&
	       word_at(object + OBJECT_TYPE) == type;
}

/*
 * Returns the code object that the frame executes, and by how many units of two bytes its
 * instruction is behind the code's begin; 0: none, or it has not begun.
 */
static uint64_t code_of(struct walk *walk, uint64_t frame, int64_t *unit)
{
	const struct layout *layout = walk->layout;
	bool is_innermost = walk->is_innermost;

	walk->is_innermost = false;
	/* A frame that is executed has its top of the stack in a register. */
	if (is_innermost && half_at(frame + FRAME_STACK_TOP) >= 0)
		return 0;
	uint64_t code = word_at(frame + layout->frame_code);
	if (!is_object(code, python.code_type))
		return 0;
	*unit =
	    ((int64_t)word_at(frame + FRAME_INSTRUCTION) - (int64_t)(code + layout->code_units)) /
	    2;
	bool is_generator = byte_at(frame + layout->frame_owner) == OWNED_BY_GENERATOR;
	if (!is_generator && *unit < half_at(code + layout->code_first_traceable))
		return 0;
	return *unit < (int64_t)word_at(code + OBJECT_SIZE) ? code : 0;
}

/* A table of lines (co_linetable; CPython, Objects/locations.md). */
struct line_table {
	uint64_t at, end;
};

/* Takes a signed number of parts of six bits, the lowest bit being its sign. */
static int32_t take_signed(struct line_table *table)
{
	uint32_t value = 0, byte = 0x40;

	for (unsigned shift = 0; byte & 0x40 && shift < 32 && table->at < table->end; shift += 6) {
		byte = byte_at(table->at++);
		value |= (byte & 0x3f) << shift;
	}
	return value & 1 ? -(int32_t)(value >> 1) : (int32_t)(value >> 1);
}

/* Moves over an entry. Returns by how much its line differs from the one before. */
static int32_t take_entry(struct line_table *table, int64_t *units)
{
	uint8_t first = byte_at(table->at++);
	int32_t change = 0;
	unsigned kind = first >> 3 & 15;

	*units = (first & 7) + 1;
	if (kind >= 10 && kind <= 12)
		change = (int32_t)kind - 10;
	else if (kind == 13 || kind == 14)
		change = take_signed(table);
	while (table->at < table->end && !(byte_at(table->at) & 0x80))
		table->at++;
	return change;
}

/* Returns the line of a unit; 0: the tables of this path are too long to be read. */
static uint32_t line_of(struct walk *walk, uint64_t code, int64_t unit)
{
	uint64_t lines = word_at(code + CODE_LINES), begin = lines + BYTES_DATA;
	int32_t line = half_at(code + walk->layout->code_line);
	int64_t end_unit = 0, units = 0;
	unsigned left = MOST_LINE_BYTES - walk->line_bytes;

	if (lines == 0 || word_at(lines + OBJECT_SIZE) > MOST_OBJECT_BYTES)
		return 0;
	uint64_t end = begin + word_at(lines + OBJECT_SIZE);
	bool is_short = end - begin <= left;
	struct line_table table = {begin, is_short ? end : begin + left};
	while (end_unit <= unit && table.at < table.end) {
		line += take_entry(&table, &units);
		end_unit += units;
	}
	walk->line_bytes += (unsigned)(table.at - begin);
	return line > 0 && (is_short || end_unit > unit) ? (uint32_t)line : 0;
}

/* Writes a character in UTF-8 and returns the end of it. */
static char *put_character(char *to, uint32_t character)
{
	unsigned more = character < 0x80 ? 0 : character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
	static const uint8_t first[] = {0, 0xc0, 0xe0, 0xf0};

	*to++ = (char)(first[more] | character >> 6 * more);
	while (more-- > 0)
		*to++ = (char)(0x80 | (character >> 6 * more & 0x3f));
	return to;
}

/* Copies a text as UTF-8, or as much of its begin or end as has room; false: it is none. */
static bool copy_text(
    const struct layout *layout, uint64_t text, char *to, size_t room, bool only_end)
{
	if (!is_object(text, python.text_type))
		return false;
	uint32_t state = (uint32_t)half_at(text + TEXT_STATE), kind = (state & TEXT_KIND) >> 2;
	uint64_t length = word_at(text + TEXT_LENGTH), most = room - 1;
	bool is_ascii = state & TEXT_ASCII;
	if (!(state & TEXT_COMPACT) || length == 0 || length > MOST_OBJECT_BYTES || kind == 0)
		return false;
	text += is_ascii ? layout->text_bytes : layout->wide_text_bytes;
	if (!is_ascii)
		most /= kind == 1 ? 2 : kind == 2 ? 3 : 4;
	uint64_t at = only_end && length > most ? length - most : 0;
	for (uint64_t end = at + most < length ? at + most : length; at < end; at++) {
		uint64_t place = text + at * kind;
		to = put_character(to, kind == 1   ? byte_at(place)
				       : kind == 2 ? *(const uint16_t *)(uintptr_t)place
						   : (uint32_t)half_at(place) & 0x1fffff);
	}
	*to = '\0';
	return true;
}

static void add(struct pomp_python_path *path, struct walk *walk, uint64_t frame)
{
	int64_t unit = 0;
	uint64_t code = code_of(walk, frame, &unit), number = 0;
	struct pomp_python_text *text = &path->text;

	if (code == 0)
		return;
	if (copy_text(walk->layout, word_at(code + CODE_FUNCTION), text->function,
		sizeof(text->function), false) &&
	    copy_text(
		walk->layout, word_at(code + CODE_FILE), text->file, sizeof(text->file), true))
		number = pomp_python_number(text);
	path->place[path->count] = UINT64_MAX;
	path->word[path->count++] = POMP_PATH_PYTHON | number << 32 | line_of(walk, code, unit);
}

bool pomp_python_read(struct pomp_python_path *path, struct pomp_python_range stack, uint64_t limit)
{
	struct walk walk;
	size_t run = 0; /* the first of the run */
	enum step is = WALK_FRAME;
	uint64_t frame;

	path->count = 0;
	if (!begin(&walk, stack))
		return false;
	while (path->count < POMP_PYTHON_DEPTH && (is = step(&walk, &frame)) != WALK_ENDS) {
		if (is == WALK_FRAME) {
			add(path, &walk, frame);
		} else if (walk.place >= limit) {
			break;
		} else {
			while (run < path->count)
				path->place[run++] = walk.place;
		}
	}
	/* To which stack frame the last ones belong is not known. */
	if (limit != UINT64_MAX)
		path->count = run;
	return path->count > 0;
}

/*
 * An instruction is in its code object, so the difference of both is the same in functions that are
 * alike: each word is mixed in by itself.
 */
static uint64_t add_frame(uint64_t hash, const struct layout *layout, uint64_t frame)
{
	const uint64_t factor = UINT64_C(0x100000001b3);
	const uint64_t words[] = {
	    frame, word_at(frame + layout->frame_code), word_at(frame + FRAME_INSTRUCTION)};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		hash = (hash ^ words[i]) * factor;
	return hash;
}

uint64_t pomp_python_state(struct pomp_python_range stack, uint64_t limit)
{
	struct walk walk;
	uint64_t hash = TEXT_HASH_START, run = hash, frame;
	enum step is;

	if (!begin(&walk, stack))
		return 0;
	while ((is = step(&walk, &frame)) != WALK_ENDS) {
		if (is == WALK_RUN_ENDS && walk.place >= limit)
			return run;
		if (is == WALK_RUN_ENDS)
			run = hash;
		else
			hash = add_frame(hash, walk.layout, frame);
	}
	return limit == UINT64_MAX ? hash : run;
}
