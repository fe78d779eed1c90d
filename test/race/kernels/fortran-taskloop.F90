! SPDX-License-Identifier: BSD-3-Clause
! taskloop: a maximum over a taskloop is kept in a shared variable.
! The tasks of a taskloop may run at once (OpenMP 5.2, 12.6). The fixed construct reduces the
! maximum.
#ifdef FIXED
#define LARGEST reduction(max: largest)
#else
#define LARGEST shared(largest)
#endif
program maximum
  implicit none
  integer :: values(300), largest, i

  do i = 1, 300
     values(i) = modulo(i * 8, 301)
  end do
  largest = 0
  !$omp parallel
  !$omp single
  !$omp taskloop num_tasks(10) LARGEST
  do i = 1, 300
     if (values(i) > largest) largest = values(i) ! race: read largest; race: write largest
  end do
  !$omp end taskloop
  !$omp end single
  !$omp end parallel
  if (largest /= 300) stop 1
end program
