/* SPDX-License-Identifier: BSD-3-Clause */
/* A table by the numbers of the kernel's headers; not every processor has every call. */
#include "system-calls.h"

#include <stddef.h>
#include <sys/syscall.h>

static const struct {
	int64_t number;
	const char *name;
} calls[] = {
#if defined SYS_read
    {SYS_read, "read"},
#endif
#if defined SYS_write
    {SYS_write, "write"},
#endif
#if defined SYS_readv
    {SYS_readv, "readv"},
#endif
#if defined SYS_writev
    {SYS_writev, "writev"},
#endif
#if defined SYS_pread64
    {SYS_pread64, "pread"},
#endif
#if defined SYS_pwrite64
    {SYS_pwrite64, "pwrite"},
#endif
#if defined SYS_preadv
    {SYS_preadv, "preadv"},
#endif
#if defined SYS_pwritev
    {SYS_pwritev, "pwritev"},
#endif
#if defined SYS_preadv2
    {SYS_preadv2, "preadv2"},
#endif
#if defined SYS_pwritev2
    {SYS_pwritev2, "pwritev2"},
#endif
#if defined SYS_open
    {SYS_open, "open"},
#endif
#if defined SYS_openat
    {SYS_openat, "openat"},
#endif
#if defined SYS_openat2
    {SYS_openat2, "openat2"},
#endif
#if defined SYS_close
    {SYS_close, "close"},
#endif
#if defined SYS_fsync
    {SYS_fsync, "fsync"},
#endif
#if defined SYS_fdatasync
    {SYS_fdatasync, "fdatasync"},
#endif
#if defined SYS_sync
    {SYS_sync, "sync"},
#endif
#if defined SYS_syncfs
    {SYS_syncfs, "syncfs"},
#endif
#if defined SYS_sync_file_range
    {SYS_sync_file_range, "sync_file_range"},
#endif
#if defined SYS_msync
    {SYS_msync, "msync"},
#endif
#if defined SYS_flock
    {SYS_flock, "flock"},
#endif
#if defined SYS_fcntl
    {SYS_fcntl, "fcntl"},
#endif
#if defined SYS_rename
    {SYS_rename, "rename"},
#endif
#if defined SYS_renameat
    {SYS_renameat, "renameat"},
#endif
#if defined SYS_renameat2
    {SYS_renameat2, "renameat2"},
#endif
#if defined SYS_unlink
    {SYS_unlink, "unlink"},
#endif
#if defined SYS_unlinkat
    {SYS_unlinkat, "unlinkat"},
#endif
#if defined SYS_mkdir
    {SYS_mkdir, "mkdir"},
#endif
#if defined SYS_mkdirat
    {SYS_mkdirat, "mkdirat"},
#endif
#if defined SYS_rmdir
    {SYS_rmdir, "rmdir"},
#endif
#if defined SYS_truncate
    {SYS_truncate, "truncate"},
#endif
#if defined SYS_ftruncate
    {SYS_ftruncate, "ftruncate"},
#endif
#if defined SYS_fallocate
    {SYS_fallocate, "fallocate"},
#endif
#if defined SYS_stat
    {SYS_stat, "stat"},
#endif
#if defined SYS_fstat
    {SYS_fstat, "fstat"},
#endif
#if defined SYS_lstat
    {SYS_lstat, "lstat"},
#endif
#if defined SYS_newfstatat
    {SYS_newfstatat, "fstatat"},
#endif
#if defined SYS_statx
    {SYS_statx, "statx"},
#endif
#if defined SYS_getdents64
    {SYS_getdents64, "getdents"},
#endif
#if defined SYS_sendfile
    {SYS_sendfile, "sendfile"},
#endif
#if defined SYS_splice
    {SYS_splice, "splice"},
#endif
#if defined SYS_copy_file_range
    {SYS_copy_file_range, "copy_file_range"},
#endif
#if defined SYS_poll
    {SYS_poll, "poll"},
#endif
#if defined SYS_ppoll
    {SYS_ppoll, "ppoll"},
#endif
#if defined SYS_select
    {SYS_select, "select"},
#endif
#if defined SYS_pselect6
    {SYS_pselect6, "pselect"},
#endif
#if defined SYS_epoll_wait
    {SYS_epoll_wait, "epoll_wait"},
#endif
#if defined SYS_epoll_pwait
    {SYS_epoll_pwait, "epoll_pwait"},
#endif
#if defined SYS_epoll_pwait2
    {SYS_epoll_pwait2, "epoll_pwait2"},
#endif
#if defined SYS_nanosleep
    {SYS_nanosleep, "nanosleep"},
#endif
#if defined SYS_clock_nanosleep
    {SYS_clock_nanosleep, "clock_nanosleep"},
#endif
#if defined SYS_pause
    {SYS_pause, "pause"},
#endif
#if defined SYS_futex
    {SYS_futex, "futex"},
#endif
#if defined SYS_futex_waitv
    {SYS_futex_waitv, "futex_waitv"},
#endif
#if defined SYS_wait4
    {SYS_wait4, "wait4"},
#endif
#if defined SYS_waitid
    {SYS_waitid, "waitid"},
#endif
#if defined SYS_rt_sigtimedwait
    {SYS_rt_sigtimedwait, "sigtimedwait"},
#endif
#if defined SYS_rt_sigsuspend
    {SYS_rt_sigsuspend, "sigsuspend"},
#endif
#if defined SYS_connect
    {SYS_connect, "connect"},
#endif
#if defined SYS_accept
    {SYS_accept, "accept"},
#endif
#if defined SYS_accept4
    {SYS_accept4, "accept4"},
#endif
#if defined SYS_recvfrom
    {SYS_recvfrom, "recvfrom"},
#endif
#if defined SYS_recvmsg
    {SYS_recvmsg, "recvmsg"},
#endif
#if defined SYS_recvmmsg
    {SYS_recvmmsg, "recvmmsg"},
#endif
#if defined SYS_sendto
    {SYS_sendto, "sendto"},
#endif
#if defined SYS_sendmsg
    {SYS_sendmsg, "sendmsg"},
#endif
#if defined SYS_sendmmsg
    {SYS_sendmmsg, "sendmmsg"},
#endif
#if defined SYS_semop
    {SYS_semop, "semop"},
#endif
#if defined SYS_semtimedop
    {SYS_semtimedop, "semtimedop"},
#endif
#if defined SYS_msgrcv
    {SYS_msgrcv, "msgrcv"},
#endif
#if defined SYS_msgsnd
    {SYS_msgsnd, "msgsnd"},
#endif
#if defined SYS_mq_timedreceive
    {SYS_mq_timedreceive, "mq_timedreceive"},
#endif
#if defined SYS_mq_timedsend
    {SYS_mq_timedsend, "mq_timedsend"},
#endif
#if defined SYS_io_getevents
    {SYS_io_getevents, "io_getevents"},
#endif
#if defined SYS_io_pgetevents
    {SYS_io_pgetevents, "io_pgetevents"},
#endif
#if defined SYS_io_uring_enter
    {SYS_io_uring_enter, "io_uring_enter"},
#endif
#if defined SYS_mmap
    {SYS_mmap, "mmap"},
#endif
#if defined SYS_munmap
    {SYS_munmap, "munmap"},
#endif
#if defined SYS_mremap
    {SYS_mremap, "mremap"},
#endif
#if defined SYS_madvise
    {SYS_madvise, "madvise"},
#endif
#if defined SYS_mprotect
    {SYS_mprotect, "mprotect"},
#endif
#if defined SYS_brk
    {SYS_brk, "brk"},
#endif
#if defined SYS_mlock
    {SYS_mlock, "mlock"},
#endif
#if defined SYS_vfork
    {SYS_vfork, "vfork"},
#endif
#if defined SYS_fork
    {SYS_fork, "fork"},
#endif
#if defined SYS_clone
    {SYS_clone, "clone"},
#endif
#if defined SYS_clone3
    {SYS_clone3, "clone3"},
#endif
#if defined SYS_execve
    {SYS_execve, "execve"},
#endif
#if defined SYS_exit
    {SYS_exit, "exit"},
#endif
#if defined SYS_ioctl
    {SYS_ioctl, "ioctl"},
#endif
#if defined SYS_getrandom
    {SYS_getrandom, "getrandom"},
#endif
#if defined SYS_sched_yield
    {SYS_sched_yield, "sched_yield"},
#endif
#if defined SYS_membarrier
    {SYS_membarrier, "membarrier"},
#endif
#if defined SYS_process_vm_readv
    {SYS_process_vm_readv, "process_vm_readv"},
#endif
#if defined SYS_process_vm_writev
    {SYS_process_vm_writev, "process_vm_writev"},
#endif
};

const char *pomp_system_call_name(int64_t number)
{
	if (number == -1)
		return "page fault";
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (calls[i].number == number)
			return calls[i].name;
	return "system call";
}
