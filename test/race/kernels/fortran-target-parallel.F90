! SPDX-License-Identifier: BSD-3-Clause
! target: a parallel do within target, whose temporary is mapped.
! map(tofrom) makes it one variable for all threads of the region (OpenMP 5.2, 5.8.3). The fixed
! loop has it private.
#ifdef FIXED
#define TEMPORARY private(temporary)
#else
#define TEMPORARY shared(temporary)
#endif
program mapped
  implicit none
  integer :: a(100), temporary, i

  a = 0
  temporary = 0
  !$omp target map(tofrom: a, temporary)
  !$omp parallel do TEMPORARY
  do i = 1, 100
     temporary = i * 3 ! race: write temporary
     a(i) = temporary ! race: read temporary
  end do
  !$omp end target
  if (sum(a) /= 15150) stop 1
end program
