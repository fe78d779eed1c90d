! SPDX-License-Identifier: BSD-3-Clause
! synchronization: a lock protects the list, but not its length behind it.
! The length is read after the lock was unset (OpenMP 5.2, 18.9). The fixed one keeps it before.
program locked_list
  use omp_lib
  implicit none
  integer(omp_lock_kind) :: lock
  integer :: list(300), length, i, seen

  length = 0
  call omp_init_lock(lock)
  !$omp parallel do private(seen)
  do i = 1, 300
     call omp_set_lock(lock)
     length = length + 1 ! race: write length
     list(length) = i
     seen = length
     call omp_unset_lock(lock)
#ifndef FIXED
     seen = length ! race: read length
#endif
     if (seen < 1) stop 2
  end do
  call omp_destroy_lock(lock)
  if (length /= 300 .or. sum(list) /= 45150) stop 1
end program
