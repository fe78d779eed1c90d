! SPDX-License-Identifier: BSD-3-Clause
! deadlock: tasks take two nestable locks in opposite orders.
! Nothing orders the tasks. In the fixed program a taskwait is between them (OpenMP 5.2, 15.5).
program deadlock
  use omp_lib
  implicit none
  integer(omp_nest_lock_kind) :: heap, stack
  integer :: i, used = 0

  call omp_init_nest_lock(heap)
  call omp_init_nest_lock(stack)
  !$omp parallel
  !$omp single
  do i = 1, 4
    !$omp task
    call omp_set_nest_lock(heap)  ! deadlock: nestable lock heap
    call omp_set_nest_lock(stack) ! deadlock: nestable lock stack
    used = used + 1
    call omp_unset_nest_lock(stack)
    call omp_unset_nest_lock(heap)
    !$omp end task
#ifdef FIXED
    !$omp taskwait
#endif
    !$omp task
    call omp_set_nest_lock(stack) ! deadlock: nestable lock stack
    call omp_set_nest_lock(heap)  ! deadlock: nestable lock heap
    used = used - 1
    call omp_unset_nest_lock(heap)
    call omp_unset_nest_lock(stack)
    !$omp end task
#ifdef FIXED
    !$omp taskwait
#endif
  end do
  !$omp end single
  !$omp end parallel
  call omp_destroy_nest_lock(heap)
  call omp_destroy_nest_lock(stack)
end program
