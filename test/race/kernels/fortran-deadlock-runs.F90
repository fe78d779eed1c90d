! SPDX-License-Identifier: BSD-3-Clause
! deadlock: two locks in opposite orders, by iterations that certain threads get.
! No run of the plan has both orders. The fixed one has a lock around both.
module ends
  use omp_lib
  implicit none
  integer(omp_lock_kind), save :: gate, head, tail
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
    call omp_set_lock(tail) ! deadlock: lock tail
    call omp_set_lock(head) ! deadlock: lock head
    length = length - 1
    call omp_unset_lock(head)
    call omp_unset_lock(tail)
  end subroutine
end module

program deadlock
  use ends
  implicit none
  integer :: i
  call omp_init_lock(gate)
  call omp_init_lock(head)
  call omp_init_lock(tail)
  !$omp parallel do
  do i = 0, 63
#ifdef FIXED
    call omp_set_lock(gate)
#endif
    if (i == 2 .and. omp_get_thread_num() == 0) call push()
    if (i == 1 .and. omp_get_thread_num() == 1) call pop()
#ifdef FIXED
    call omp_unset_lock(gate)
#endif
  end do
  !$omp end parallel do
  call omp_destroy_lock(gate)
  call omp_destroy_lock(head)
  call omp_destroy_lock(tail)
end program
