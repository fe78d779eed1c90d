! SPDX-License-Identifier: BSD-3-Clause
! task: tasks generate tasks, and the results of all are used behind a taskwait.
! taskwait waits for the children only (OpenMP 5.2, 15.5). The fixed one has a taskgroup (15.4).
program grandchildren
  implicit none
  integer :: squares(6), i, j

  squares = 0
  !$omp parallel
  !$omp single
#ifdef FIXED
  !$omp taskgroup
#endif
  do i = 1, 3
     !$omp task firstprivate(i) private(j) shared(squares)
     do j = 2 * i - 1, 2 * i
        !$omp task firstprivate(j) shared(squares)
        squares(j) = j * j ! race: write squares
        !$omp end task
     end do
     !$omp end task
  end do
#ifdef FIXED
  !$omp end taskgroup
#else
  !$omp taskwait
#endif
  if (sum(squares) /= 91) squares(1) = -1 ! race: read squares; race: write squares
  !$omp end single
  !$omp end parallel
  if (squares(1) /= 1) stop 1
end program
