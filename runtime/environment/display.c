/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OMP_DISPLAY_ENV and omp_display_env(): the current variables, in the form of libgomp since GCC
 * 13, which users' scripts read. The word before a name tells what the value is for (OpenMP 5.2,
 * 21.7): host, or all if it applies to the whole program. If the environment also has the variable
 * for devices (NAME_ALL, NAME_DEV, NAME_DEV_number), those values follow; they are only shown,
 * since the host is the only device.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "environment.h"
#include "message.h"
#include "resources.h"

static void append_line(struct rt_text *out, const char *device, size_t length,
    const struct rt_variable *variable, struct rt_process *process)
{
	rt_text_add_words(out, "  [");
	rt_text_add_bytes(out, device, length);
	rt_text_add_words(out, "] ");
	rt_text_add_words(out, variable->name);
	rt_text_add_words(out, " = '");
	variable->kind->print(variable->kind, rt_variable_field(variable, process), out);
	rt_text_add_words(out, "'\n");
}

/* A value of the wrong form is left out. */
static void append_device(struct rt_text *out, const char *device, size_t length,
    const struct rt_variable *variable, const char *value)
{
	struct rt_process of_device = {.nthreads_list = {NULL, 0}, .bind_list = {NULL, 0}};

	if (variable->kind->parse(variable->kind, value, rt_variable_field(variable, &of_device)))
		append_line(out, device, length, variable, &of_device);
	free(of_device.nthreads_list.values);
	free(of_device.bind_list.values);
}

/* What follows the variable's name in an entry of the environment, or NULL. */
static const char *after_name(const char *entry, const struct rt_variable *variable)
{
	size_t length = strlen(variable->name);

	return strncmp(entry, variable->name, length) == 0 ? entry + length : NULL;
}

/* Shows devices by number, in the order of the environment. */
static void append_numbered(struct rt_text *out, const struct rt_variable *variable)
{
	static const char words[] = "_DEV_";

	for (char **entry = environ; entry && *entry; entry++) {
		const char *number = after_name(*entry, variable);
		if (!number || strncmp(number, words, strlen(words)) != 0)
			continue;
		number += strlen(words);
		size_t digits = strspn(number, "0123456789");
		if (digits > 0 && number[digits] == '=' && (number[0] != '0' || digits == 1))
			append_device(out, number, digits, variable, number + digits + 1);
	}
}

static void append_devices(struct rt_text *out, const struct rt_variable *variable)
{
	static const struct {
		const char *suffix, *device;
	} forms[] = {{"_ALL=", "all"}, {"_DEV=", "device"}};

	for (size_t form = 0; form < sizeof(forms) / sizeof(forms[0]); form++)
		for (char **entry = environ; entry && *entry; entry++) {
			size_t length = strlen(forms[form].suffix);
			const char *suffix = after_name(*entry, variable);
			if (suffix && strncmp(suffix, forms[form].suffix, length) == 0)
				append_device(out, forms[form].device, strlen(forms[form].device),
				    variable, suffix + length);
		}
	append_numbered(out, variable);
}

static void append_display(struct rt_text *out, bool verbose)
{
	rt_text_add_words(out, "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '201511'\n");
	for (const struct rt_variable *variable = rt_variables; variable->name; variable++) {
		if (variable->flags & RT_VARIABLE_HIDDEN ||
		    (variable->flags & RT_VARIABLE_GNU && !verbose))
			continue;
		const char *device = variable->flags & RT_VARIABLE_GLOBAL ? "all" : "host";
		append_line(out, device, strlen(device), variable, &rt_process);
		if ((variable->flags & RT_VARIABLE_DEVICE) == RT_VARIABLE_DEVICE)
			append_devices(out, variable);
	}
	rt_text_add_words(out, "OPENMP DISPLAY ENVIRONMENT END\n");
}

void rt_environment_display(bool verbose)
{
	struct rt_text text;

	rt_environment_use();
	rt_text_init(&text, NULL, 0);
	append_display(&text, verbose);
	size_t size = text.used + 1;
	char *memory = malloc(size);
	if (!memory)
		return;
	rt_text_init(&text, memory, size);
	append_display(&text, verbose);
	rt_message_text(memory, text.used < size ? text.used : size - 1);
	free(memory);
	if (verbose)
		rt_resources_report();
}
