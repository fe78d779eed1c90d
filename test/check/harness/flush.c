/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flush, as clang's code calls it: of two threads that each write, flush and read what the other
 * thread writes, at least one sees the other's write. In every order.
 */
#include "atomics.h"
#include "check.h"
#include "team-by-hand.h"

void __kmpc_flush(const void *where);

static _Atomic int words[2];
static int seen[2];

static void write_and_read(void *argument)
{
	uint32_t number = check_thread();

	(void)argument;
	store_relaxed(&words[number], 1);
	__kmpc_flush(NULL);
	seen[number] = load_relaxed(&words[1 - number]);
}

static void flush(void)
{
	rt_self();
	check_start(write_and_read, NULL);
	write_and_read(NULL);
	check_join();
	EXPECT(seen[0] == 1 || seen[1] == 1);
}
HARNESS(flush_pair, "flush between a write and a read of two threads") = {.run = flush};
