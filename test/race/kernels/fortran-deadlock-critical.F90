! SPDX-License-Identifier: BSD-3-Clause
! deadlock: critical constructs of two names are nested in both ways.
! Each excludes the other threads from one name only (OpenMP 5.2, 15.2). The fixed ones come one
! after the other.
program deadlock
  implicit none
  integer :: rows = 0, columns = 0

  !$omp parallel sections
  !$omp section
  !$omp critical (by_row) ! deadlock: critical (by_row)
  rows = rows + 1
#ifdef FIXED
  !$omp end critical (by_row)
#endif
  !$omp critical (by_column) ! deadlock: critical (by_column)
  columns = columns + 1
  !$omp end critical (by_column)
#ifndef FIXED
  !$omp end critical (by_row)
#endif
  !$omp section
  !$omp critical (by_column) ! deadlock: critical (by_column)
  columns = columns + 1
#ifdef FIXED
  !$omp end critical (by_column)
#endif
  !$omp critical (by_row) ! deadlock: critical (by_row)
  rows = rows + 1
  !$omp end critical (by_row)
#ifndef FIXED
  !$omp end critical (by_column)
#endif
  !$omp end parallel sections
end program
