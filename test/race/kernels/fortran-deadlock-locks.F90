! SPDX-License-Identifier: BSD-3-Clause
! deadlock: two subroutines take two locks in opposite orders.
! Two threads that have one each wait for ever (OpenMP 5.2, 18.9.4). The fixed ones have one order.
module ends
  use omp_lib
  implicit none
  integer(omp_lock_kind), save :: head, tail
  integer, save :: length = 0
contains
  subroutine push()
    call omp_set_lock(head) ! deadlock: lock head
    call omp_set_lock(tail) ! deadlock: lock tail
    length = length + 1
    call omp_unset_lock(tail)
    call omp_unset_lock(head)
  end subroutine
  subroutine pop()
#ifdef FIXED
    call omp_set_lock(head)
    call omp_set_lock(tail)
#else
    call omp_set_lock(tail) ! deadlock: lock tail
    call omp_set_lock(head) ! deadlock: lock head
#endif
    length = length - 1
    call omp_unset_lock(head)
    call omp_unset_lock(tail)
  end subroutine
end module

program deadlock
  use ends
  implicit none
  call omp_init_lock(head)
  call omp_init_lock(tail)
  !$omp parallel
  if (mod(omp_get_thread_num(), 2) == 0) then
    call push()
  else
    call pop()
  end if
  !$omp end parallel
  call omp_destroy_lock(head)
  call omp_destroy_lock(tail)
end program
