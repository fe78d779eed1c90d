/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that takes 64 bytes of the room that the loader keeps for thread-local variables. */

void fill_thread_local_room(char value);

static __thread char room[64] __attribute__((aligned(16), tls_model("initial-exec")));

void fill_thread_local_room(char value)
{
	for (unsigned i = 0; i < sizeof(room); i++)
		((volatile char *)room)[i] = value;
}
