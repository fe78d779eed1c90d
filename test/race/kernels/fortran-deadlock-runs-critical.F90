! SPDX-License-Identifier: BSD-3-Clause
! deadlock: critical constructs of two names, nested in both ways, in different loops of a region.
! Each run of the plan shows one way at most. The fixed one has a barrier between the loops.
program deadlock
  use omp_lib
  implicit none
  integer :: i, rows, columns
  rows = 0
  columns = 0
  !$omp parallel
  !$omp do
  do i = 0, 63
    if (i == 2 .and. omp_get_thread_num() == 0) then
      !$omp critical (row) ! deadlock: critical (row)
      !$omp critical (column) ! deadlock: critical (column)
      rows = rows + 1
      columns = columns + 1
      !$omp end critical (column)
      !$omp end critical (row)
    end if
  end do
#ifdef FIXED
  !$omp end do
#else
  !$omp end do nowait
#endif
  !$omp do
  do i = 0, 63
    if (i == 1 .and. omp_get_thread_num() == 1) then
      !$omp critical (column) ! deadlock: critical (column)
      !$omp critical (row) ! deadlock: critical (row)
      rows = rows + 1
      columns = columns + 1
      !$omp end critical (row)
      !$omp end critical (column)
    end if
  end do
  !$omp end do
  !$omp end parallel
end program
