/* SPDX-License-Identifier: BSD-3-Clause */
/* The callbacks: a debugger that has only the image, counts what it is asked for and fails when
 * told to. */
#include "fake-target.h"

#include <stdlib.h>
#include <string.h>

#include "shared/debug-fields.h"

struct fake_record fake;

void fake_reset(void)
{
	long live = fake.live_blocks;

	fake = (struct fake_record){.live_blocks = live};
}

static bool fails(void)
{
	long number = ++fake.calls;

	return number == fake.fail_at || (fake.stays && fake.fail_at != 0 && number > fake.fail_at);
}

static ompd_rc_t allocate(ompd_size_t bytes, void **memory)
{
	if (fails())
		return fake.failure;
	if (fake.largest_block < bytes)
		fake.largest_block = bytes;
	*memory = malloc(bytes);
	memset(*memory, 0xa5, bytes); /* no caller may count on zeros */
	fake.live_blocks++;
	return ompd_rc_ok;
}

static ompd_rc_t release(void *memory)
{
	if (memory == NULL)
		fake.fault = "free_memory(NULL)";
	free(memory);
	fake.live_blocks--;
	return ompd_rc_ok;
}

static ompd_rc_t print(const char *string, int category)
{
	(void)string;
	(void)category;
	fake.fault = "print_string() was called";
	return ompd_rc_ok;
}

static ompd_rc_t give_sizes(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
	uint8_t wide = ((struct fake_target *)context)->shape.pointer_bytes;

	if (fails())
		return fake.failure;
	*sizes = (ompd_device_type_sizes_t){1, 2, 4, wide, 8, wide};
	return ompd_rc_ok;
}

static ompd_rc_t look_up(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
    const char *name, ompd_address_t *address, const char *file)
{
	fake.lookups++;
	if (fails())
		return fake.failure;
	if (thread != NULL || file != NULL || strcmp(name, RT_DEBUG_TABLE_SYMBOL) != 0)
		return ompd_rc_error;
	*address = (ompd_address_t){0, ((struct fake_target *)context)->table};
	return ompd_rc_ok;
}

static ompd_rc_t read_image(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
    const ompd_address_t *address, ompd_size_t bytes, void *buffer)
{
	struct fake_target *target = (struct fake_target *)context;
	uint64_t offset = address->address - IMAGE_BASE;

	fake.reads++;
	if (fake.largest_read < bytes)
		fake.largest_read = bytes;
	if (thread != NULL || bytes == 0 || address->address == 0)
		fake.fault = "a read of nothing, or at 0";
	if (fails())
		return fake.failure;
	if (address->address < IMAGE_BASE || offset > IMAGE_BYTES || bytes > IMAGE_BYTES - offset)
		return ompd_rc_device_read_error;
	memcpy(buffer, &target->memory[offset], bytes);
	return ompd_rc_ok;
}

static ompd_rc_t convert(ompd_address_space_context_t *context, const void *input, ompd_size_t unit,
    ompd_size_t count, void *output)
{
	const unsigned char *from = input;
	unsigned char *to = output;

	if (fails())
		return fake.failure;
	for (ompd_size_t i = 0; i < unit * count; i++)
		to[i] = ((struct fake_target *)context)->shape.is_big_endian
			    ? from[i / unit * unit + unit - 1 - i % unit]
			    : from[i];
	return ompd_rc_ok;
}

static ompd_rc_t find_thread(ompd_address_space_context_t *context, ompd_thread_id_t kind,
    ompd_size_t bytes, const void *id, ompd_thread_context_t **thread)
{
	uint32_t number;

	if (fails())
		return fake.failure;
	if (kind != OMPD_THREAD_ID_LWP || bytes != sizeof(number))
		fake.fault = "a thread was asked for by another number than the kernel's";
	memcpy(&number, id, sizeof(number));
	if (number == fake.ended)
		return ompd_rc_unavailable;
	*thread = (ompd_thread_context_t *)context;
	return ompd_rc_ok;
}

const ompd_callbacks_t fake_callbacks = {.alloc_memory = allocate,
    .free_memory = release,
    .print_string = print,
    .sizeof_type = give_sizes,
    .symbol_addr_lookup = look_up,
    .read_memory = read_image,
    .read_string = read_image,
    .device_to_host = convert,
    .get_thread_context_for_thread_id = find_thread};
