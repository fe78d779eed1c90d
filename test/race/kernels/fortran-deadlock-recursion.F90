! SPDX-License-Identifier: BSD-3-Clause
! deadlock: a recursive subroutine sets a nestable lock at each level, and a simple one at the last.
! Another thread has the opposite order. The fixed one has the same.
module levels
  use omp_lib
  implicit none
  integer(omp_nest_lock_kind), save :: outer
  integer(omp_lock_kind), save :: inner
  integer, save :: visits = 0
contains
  recursive subroutine descend(depth)
    integer, intent(in) :: depth
    call omp_set_nest_lock(outer) ! deadlock: nestable lock outer
    if (depth > 0) then
      call descend(depth - 1)
    else
      call omp_set_lock(inner) ! deadlock: lock inner
      visits = visits + 1
      call omp_unset_lock(inner)
    end if
    call omp_unset_nest_lock(outer)
  end subroutine
  subroutine reset()
#ifdef FIXED
    call omp_set_nest_lock(outer)
    call omp_set_lock(inner)
#else
    call omp_set_lock(inner)      ! deadlock: lock inner
    call omp_set_nest_lock(outer) ! deadlock: nestable lock outer
#endif
    visits = 0
    call omp_unset_nest_lock(outer)
    call omp_unset_lock(inner)
  end subroutine
end module

program deadlock
  use levels
  implicit none
  call omp_init_nest_lock(outer)
  call omp_init_lock(inner)
  !$omp parallel
  if (omp_get_thread_num() == 0) then
    call reset()
  else
    call descend(3)
  end if
  !$omp end parallel
  call omp_destroy_lock(inner)
  call omp_destroy_nest_lock(outer)
end program
