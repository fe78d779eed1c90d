/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the file whose code or data is at an address. The loader knows it, but can only be asked
 * without a lock since glibc 2.35. The build id, which later finds the debug information, is in the
 * file's memory.
 *
 * A library can be unloaded if the program opened it itself. Libraries that the program was linked
 * with stay, so their addresses need not be checked at each event.
 */
#include "code-module.h"

#include "find-object.h"
#include "limited-calls.h"
#include "loaded-object.h"
#include "pomp-atomics.h"
#include "process-state.h"
#include "shared/array.h"
#include "shared/precondition.h"
#include "shared/text-hash.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct pomp_module *modules; /* written under the process lock */

/* What the loader knows about an address; `map` is NULL if that is nothing. */
struct object {
	const struct link_map *map;
	const char *start;
};

/* Looked up by name: the library must also run with an older C library than it was built with. */
find_object *pomp_find_object(void)
{
	static _Atomic(find_object *) known;
	static _Atomic bool looked;
	find_object *found = load_relaxed(&known);

	if (found == NULL && !load_relaxed(&looked)) {
		*(void **)&found = dlsym(RTLD_DEFAULT, "_dl_find_object");
		store_relaxed(&known, found);
		store_relaxed(&looked, true);
	}
	return found;
}

static struct object find_object_at(const void *address)
{
	struct object object = {NULL, NULL};
	find_object *find = pomp_find_object();
	struct found_object found;
	Dl_info info;

	if (find != NULL && find((void *)address, &found) == 0)
		object = (struct object){found.map, found.start};
	if (find != NULL)
		return object;
	const struct link_map *map = pomp_loaded_object(address, &info);
	if (map != NULL)
		object = (struct object){map, info.dli_fbase};
	return object;
}

/* Returns the build id's entry among the notes; NULL without one. */
static const ElfW(Nhdr) * find_build_id(const char *notes, size_t size)
{
	while (size >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const void *)notes;
		size_t bytes =
		    sizeof(*note) + ((note->n_namesz + 3U) & ~3U) + ((note->n_descsz + 3U) & ~3U);
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && bytes <= size &&
		    memcmp(note + 1, "GNU", 4) == 0)
			return note;
		if (bytes > size)
			break;
		notes += bytes;
		size -= bytes;
	}
	return NULL;
}

/* What is looked up in the loader's list. While the list is walked, no library is unloaded. */
struct question {
	const struct pomp_module *module;
	const char *id_bytes;
	uint32_t id_size;
	bool is_needed, shows_loops;
	bool is_begun;   /* an entry of the list was seen */
	uint64_t *names; /* hashes of the names of needed libraries, so far */
	size_t count, capacity;
};

static uint64_t hash_of_file(const char *path)
{
	const char *slash = strrchr(path, '/');

	return text_hash(TEXT_HASH_START, slash != NULL ? slash + 1 : path);
}

static bool is_needed(const struct question *question, const char *path)
{
	uint64_t hash = hash_of_file(path);

	for (size_t i = 0; i < question->count; i++)
		if (question->names[i] == hash)
			return true;
	return false;
}

/* Returns an address in memory: the loader may or may not have relocated the value already. */
static const char *address_in(uintptr_t value, uintptr_t bias)
{
	return (const char *)(value < bias ? value + bias : value);
}

/* Returns whether the file is linked to this version of a library's symbols. */
static bool needs_version(const ElfW(Dyn) * dynamic, uintptr_t bias, const char *version)
{
	const char *strings = NULL, *place = NULL;
	size_t count = 0;

	for (const ElfW(Dyn) *entry = dynamic; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_STRTAB)
			strings = address_in(entry->d_un.d_ptr, bias);
		else if (entry->d_tag == DT_VERNEED)
			place = address_in(entry->d_un.d_ptr, bias);
		else if (entry->d_tag == DT_VERNEEDNUM)
			count = entry->d_un.d_val;
	for (; strings != NULL && place != NULL && count > 0; count--) {
		const ElfW(Verneed) *library = (const void *)place;
		const char *next = place + library->vn_aux;
		for (unsigned i = 0; i < library->vn_cnt; i++) {
			const ElfW(Vernaux) *needed = (const void *)next;
			if (strcmp(strings + needed->vna_name, version) == 0)
				return true;
			next += needed->vna_next;
		}
		place += library->vn_next;
	}
	return false;
}

/* Returns whether a name in the file's string table begins like this. */
static bool has_name(const ElfW(Dyn) * dynamic, uintptr_t bias, const char *beginning)
{
	const char *strings = NULL;
	size_t size = 0, length = strlen(beginning);

	for (const ElfW(Dyn) *entry = dynamic; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_STRTAB)
			strings = address_in(entry->d_un.d_ptr, bias);
		else if (entry->d_tag == DT_STRSZ)
			size = entry->d_un.d_val;
	while (strings != NULL && size > length) {
		size_t name = strnlen(strings, size - 1) + 1;
		if (name > length && memcmp(strings, beginning, length) == 0)
			return true;
		strings += name;
		size -= name;
	}
	return false;
}

static void note_compiler(struct question *question, const ElfW(Dyn) * dynamic, uintptr_t bias)
{
	bool is_clangs = has_name(dynamic, bias, "__kmpc_") && !has_name(dynamic, bias, "GOMP_");

	question->shows_loops = is_clangs || needs_version(dynamic, bias, "GOMP_6.0.2");
}

static void note_needed(struct question *question, const ElfW(Dyn) * dynamic, uintptr_t bias)
{
	const char *strings = NULL;

	for (const ElfW(Dyn) *entry = dynamic; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_STRTAB)
			strings = (const char *)(uintptr_t)entry->d_un.d_ptr;
	if (strings == NULL)
		return;
	strings = address_in((uintptr_t)strings, bias);
	for (const ElfW(Dyn) *entry = dynamic; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_NEEDED &&
		    ARRAY_ROOM(question->names, question->count, question->capacity, 1))
			question->names[question->count++] =
			    hash_of_file(strings + entry->d_un.d_val);
}

/*
 * The list begins with the program. The libraries that it was linked with follow, each after a
 * library that needs it.
 */
static int look_at_library(struct dl_phdr_info *library, size_t size, void *context)
{
	struct question *question = context;
	bool first = !question->is_begun;
	bool stays = first || is_needed(question, library->dlpi_name);
	bool meant = library->dlpi_addr == question->module->bias &&
		     strcmp(library->dlpi_name, question->module->loaded_as) == 0;

	(void)size;
	question->is_begun = true;
	for (size_t i = 0; i < library->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &library->dlpi_phdr[i];
		const char *place = (const char *)(library->dlpi_addr + header->p_vaddr);
		if (stays && header->p_type == PT_DYNAMIC)
			note_needed(question, (const void *)place, library->dlpi_addr);
		if (meant && header->p_type == PT_DYNAMIC)
			note_compiler(question, (const void *)place, library->dlpi_addr);
		if (!meant || header->p_type != PT_NOTE || question->id_bytes != NULL)
			continue;
		const ElfW(Nhdr) *note = find_build_id(place, header->p_memsz);
		if (note != NULL && note->n_descsz <= 64) {
			question->id_bytes = (const char *)(note + 1) + 4;
			question->id_size = note->n_descsz;
		}
	}
	question->is_needed |= meant && stays;
	return meant;
}

static char *print_bytes(const char *bytes, size_t size)
{
	char *text = malloc(2 * size + 1);

	for (size_t i = 0; text != NULL && i < size; i++)
		snprintf(text + 2 * i, 3, "%02x", (unsigned char)bytes[i]);
	if (text != NULL)
		text[2 * size] = '\0';
	return text;
}

/*
 * Returns the absolute path, as the kernel has it, of the file that is mapped at the address; NULL:
 * unknown. The loader's name may be relative to a folder that the program has left.
 */
static char *mapped_path(const char *start)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char *line = NULL, *found = NULL;
	size_t room = 0;

	while (maps != NULL && found == NULL && getline(&line, &room, maps) > 0) {
		char *path = strchr(line, '/'), *at;
		uintptr_t begin = strtoull(line, &at, 16);
		uintptr_t end = *at == '-' ? strtoull(at + 1, NULL, 16) : 0;
		if (path == NULL || (uintptr_t)start < begin || (uintptr_t)start >= end)
			continue;
		path[strcspn(path, "\n")] = '\0';
		found = strdup(path);
	}
	free(line);
	if (maps != NULL)
		fclose(maps);
	return found;
}

/* glibc's loader calls the program itself "", and other names may be relative. */
static char *path_of(const char *loaded_as, const char *start)
{
	char program[4096];

	if (loaded_as[0] == '/')
		return strdup(loaded_as);
	if (loaded_as[0] != '\0') {
		char *path = mapped_path(start);
		return path != NULL ? path : strdup(loaded_as);
	}
	ssize_t length =
	    pomp_calls_are_limited() ? 0 : readlink("/proc/self/exe", program, sizeof(program) - 1);
	if (length <= 0)
		return strdup("");
	program[length] = '\0';
	return strdup(program);
}

static void module_free(struct pomp_module *module)
{
	if (module == NULL)
		return;
	free(module->path);
	free(module->loaded_as);
	free(module->build_id);
	free(module);
}

static struct pomp_module *module_new(struct object object)
{
	struct pomp_module *module = calloc(1, sizeof(*module));
	struct question question = {.module = module};

	if (module == NULL)
		return NULL;
	module->map = object.map;
	module->start = object.start;
	/* The program generated this code, and may later generate other code there. */
	if (object.map == NULL) {
		module->stays = true;
		module->path = strdup("");
		module->loaded_as = strdup("");
		module->build_id = strdup("");
	} else {
		module->bias = object.map->l_addr;
		module->loaded_as = strdup(object.map->l_name);
		module->path = path_of(object.map->l_name, object.start);
		if (module->loaded_as != NULL)
			dl_iterate_phdr(look_at_library, &question);
		module->stays = question.is_needed;
		module->shows_loops = question.shows_loops;
		module->build_id = print_bytes(question.id_bytes, question.id_size);
		free(question.names);
	}
	if (module->path != NULL && module->loaded_as != NULL && module->build_id != NULL)
		return module;
	module_free(module);
	return NULL;
}

/*
 * Returns whether the object is still this module: after a library was unloaded, another may use
 * the same memory, with the loader's record at the same address.
 */
static bool is_object(const struct pomp_module *module, struct object object)
{
	if (module->map != object.map || module->start != object.start)
		return false;
	return object.map == NULL || module->stays ||
	       (object.map->l_addr == module->bias &&
		   strcmp(object.map->l_name, module->loaded_as) == 0);
}

bool pomp_module_is_at(const struct pomp_module *module, const void *address)
{
	return is_object(module, find_object_at(address));
}

static struct pomp_module *find_known(struct object object)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct pomp_module *module = modules;

	while (module != NULL && !is_object(module, object))
		module = module->next;
	return module;
}

const struct pomp_module *pomp_module_find(const void *address)
{
	/* Do not request the loader's locks while holding the process lock. */
	struct object object = find_object_at(address);

	pomp_lock_process();
	struct pomp_module *module = find_known(object);
	pomp_unlock_process();
	if (module != NULL)
		return module;
	struct pomp_module *made = module_new(object);
	if (made == NULL) {
		pomp_out_of_memory("a region");
		return NULL;
	}
	pomp_lock_process();
	module = find_known(object);
	if (module == NULL) {
		module = made;
		made->next = modules;
		modules = made;
		made = NULL;
	}
	pomp_unlock_process();
	module_free(made); /* another thread was faster */
	return module;
}
