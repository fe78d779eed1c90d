! SPDX-License-Identifier: BSD-3-Clause
! data: a pointer is firstprivate, its target is not.
! The private pointer is associated with the same target (OpenMP 5.2, 5.4.4). In the fixed one
! each thread associates its pointer with a row of its own.
program pointers
  use omp_lib
  implicit none
  integer, target :: rows(64, 4)
  integer, pointer :: row(:)
  integer :: i, total

  rows = 0
  row => rows(1, :)
  !$omp parallel firstprivate(row) num_threads(4)
#ifdef FIXED
  row => rows(omp_get_thread_num() + 1, :)
#endif
  !$omp do
  do i = 1, 400
     row(modulo(i, 4) + 1) = row(modulo(i, 4) + 1) + 1 ! race: write rows
  end do
  !$omp end parallel
  total = sum(rows)
  if (total /= 400) stop 1
end program
