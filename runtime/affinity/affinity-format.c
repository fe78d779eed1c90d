/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The affinity format (OpenMP 5.1, 6.14): text with fields such as %n or %0.3{thread_num} that
 * describes where the calling thread runs. Used by the four affinity routines, OMP_AFFINITY_FORMAT
 * and OMP_DISPLAY_AFFINITY.
 */
#include "affinity-format.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "mutex.h"
#include "places.h"
#include "process.h"
#include "shared/debug-fields.h"
#include "team.h"

static const char default_format[] = RT_DEBUG_AFFINITY_FORMAT;

/* Guards rt_process.affinity_format. Nothing else is locked while it is held. */
static struct rt_mutex format_lock;

static void add_team_num(const struct rt_thread *self, struct rt_text *out)
{
	rt_text_add(out, "%u", self->teams_number);
}

static void add_num_teams(const struct rt_thread *self, struct rt_text *out)
{
	rt_text_add(out, "%u", self->teams_count);
}

static void add_nesting_level(const struct rt_thread *self, struct rt_text *out)
{
	rt_text_add(out, "%u", self->team->level);
}

static void add_thread_num(const struct rt_thread *self, struct rt_text *out)
{
	rt_text_add(out, "%u", self->number);
}

static void add_num_threads(const struct rt_thread *self, struct rt_text *out)
{
	rt_text_add(out, "%u", self->team->size);
}

static void add_ancestor(const struct rt_thread *self, struct rt_text *out)
{
	const struct rt_team *team = self->team;

	rt_text_add(out, "%d", team->level > 0 ? (int)team->parent_number : -1);
}

static void add_process(const struct rt_thread *self, struct rt_text *out)
{
	(void)self;
	rt_text_add(out, "%d", (int)getpid());
}

/* In the form of gdb and libgomp. */
static void add_native_thread(const struct rt_thread *self, struct rt_text *out)
{
	(void)self;
	rt_text_add(out, "0x%" PRIxPTR, (uintptr_t)pthread_self());
}

static void add_host(const struct rt_thread *self, struct rt_text *out)
{
	char name[256];

	(void)self;
	if (gethostname(name, sizeof(name)) == 0) {
		name[sizeof(name) - 1] = '\0';
		rt_text_add(out, "%s", name);
	}
}

static void add_affinity(const struct rt_thread *self, struct rt_text *out)
{
	struct rt_processors set;

	(void)self;
	if (!rt_processors_init_allowed(&set))
		return;
	rt_processors_print(&set, out);
	rt_processors_finish(&set);
}

static void add_literal_percent(const struct rt_thread *self, struct rt_text *out)
{
	(void)self;
	rt_text_add(out, "%%");
}

static void add_undefined(const struct rt_thread *self, struct rt_text *out)
{
	(void)self;
	rt_text_add(out, "undefined");
}

struct field {
	char letter;
	const char *name;
	bool number; /* may be padded with zeros */
	void (*add)(const struct rt_thread *self, struct rt_text *out);
};

static const struct field fields[] = {{'t', "team_num", true, add_team_num},
    {'T', "num_teams", true, add_num_teams}, {'L', "nesting_level", true, add_nesting_level},
    {'n', "thread_num", true, add_thread_num}, {'N', "num_threads", true, add_num_threads},
    {'a', "ancestor_tnum", true, add_ancestor}, {'H', "host", false, add_host},
    {'P', "process_id", true, add_process}, {'i', "native_thread_id", true, add_native_thread},
    {'A', "thread_affinity", false, add_affinity}, {'%', "%", false, add_literal_percent}};

/* What an unknown field shows. */
static const struct field undefined_field = {'?', "undefined", false, add_undefined};

/* The letter or {name} at *text; moves *text past it. */
static const struct field *scan_field(const char **text)
{
	const char *start = *text;
	size_t length = 1;
	bool is_name = *start == '{';

	if (is_name) {
		const char *end = strchr(++start, '}');
		if (!end) {
			*text = start + strlen(start);
			return &undefined_field;
		}
		length = (size_t)(end - start);
		*text = end + 1;
	} else if (*start != '\0') {
		*text = start + 1;
	}
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		const struct field *field = &fields[i];
		if (is_name
			? strlen(field->name) == length && memcmp(field->name, start, length) == 0
			: field->letter == *start)
			return field;
	}
	return &undefined_field;
}

static void add_filler(struct rt_text *out, char filler, size_t count)
{
	while (count-- > 0)
		rt_text_add_bytes(out, &filler, 1);
}

/* A number of at least `width` characters, padded with zeros after its sign or 0x. */
static void add_zero_filled(
    const struct rt_thread *self, struct rt_text *out, const struct field *field, size_t width)
{
	char digits[64];
	struct rt_text number;

	rt_text_init(&number, digits, sizeof(digits));
	field->add(self, &number);
	size_t prefix = digits[0] == '-' ? 1 : digits[0] == '0' && digits[1] == 'x' ? 2 : 0;
	rt_text_add_bytes(out, digits, prefix);
	if (number.used < width)
		add_filler(out, '0', width - number.used);
	rt_text_add(out, "%s", digits + prefix);
}

/* One field: % [[0].][width] type. Left-justified without the dot. */
static void expand_field(const struct rt_thread *self, const char **text, struct rt_text *out)
{
	const char *next = *text;
	bool zeros = *next == '0';
	size_t width = 0, length;
	struct rt_text measure;

	if (zeros)
		next++;
	bool right = *next == '.';
	if (right)
		next++;
	for (; *next >= '0' && *next <= '9'; next++)
		if (width < 100000)
			width = width * 10 + (size_t)(*next - '0');
	const struct field *field = scan_field(&next);
	*text = next;
	if (zeros && right && field->number) {
		add_zero_filled(self, out, field, width);
		return;
	}
	rt_text_init(&measure, NULL, 0);
	field->add(self, &measure);
	length = measure.used;
	if (right && length < width)
		add_filler(out, ' ', width - length);
	field->add(self, out);
	if (!right && length < width)
		add_filler(out, ' ', width - length);
}

static void expand(const struct rt_thread *self, const char *format, struct rt_text *out)
{
	while (*format != '\0') {
		size_t plain = strcspn(format, "%");
		rt_text_add_bytes(out, format, plain);
		format += plain;
		if (*format == '%') {
			format++;
			expand_field(self, &format, out);
		}
	}
}

void rt_affinity_expand(const struct rt_thread *self, const char *format, struct rt_text *out)
{
	if (format && *format != '\0') {
		expand(self, format, out);
		return;
	}
	rt_mutex_lock(&format_lock);
	expand(self, rt_process.affinity_format ? rt_process.affinity_format : default_format, out);
	rt_mutex_unlock(&format_lock);
}

/*
 * omp_set_affinity_format() may change the length between measuring and filling; then the text is
 * cut.
 */
void rt_affinity_display(const struct rt_thread *self, const char *format)
{
	struct rt_text text;

	rt_text_init(&text, NULL, 0);
	rt_affinity_expand(self, format, &text);
	size_t size = text.used + 2;
	char *line = malloc(size);
	if (!line)
		return;
	rt_text_init(&text, line, size - 1);
	rt_affinity_expand(self, format, &text);
	size_t length = text.used < size - 1 ? text.used : size - 2;
	line[length] = '\n';
	rt_message_text(line, length + 1);
	free(line);
}

bool rt_affinity_format_set(const char *format, size_t length)
{
	char *copy = malloc(length + 1), *old;

	if (!copy)
		return false;
	memcpy(copy, format, length);
	copy[length] = '\0';
	rt_mutex_lock(&format_lock);
	old = rt_process.affinity_format;
	rt_process.affinity_format = copy;
	rt_mutex_unlock(&format_lock);
	free(old);
	return true;
}

void rt_affinity_format_get(struct rt_text *out)
{
	rt_mutex_lock(&format_lock);
	rt_text_add(
	    out, "%s", rt_process.affinity_format ? rt_process.affinity_format : default_format);
	rt_mutex_unlock(&format_lock);
}
