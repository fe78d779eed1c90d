! SPDX-License-Identifier: BSD-3-Clause
! target: a target update with nowait and a target region with nowait, of which one has no
! dependence. Their tasks are ordered by dependences only (OpenMP 5.2, 13.8 and 15.9.5). The fixed
! ones both have one.
program target_depend
  implicit none
  integer :: a(60), i

  a = 1
  !$omp target enter data map(to : a)
  !$omp parallel
  !$omp single
  !$omp target nowait depend(out : a) map(tofrom : a)
  do i = 1, 60
    a(i) = a(i) + i ! race: write a
  end do
  !$omp end target
#ifdef FIXED
  !$omp target nowait depend(inout : a) map(tofrom : a)
#else
  !$omp target nowait map(tofrom : a)
#endif
  do i = 1, 60
    a(i) = 2 * a(i) ! race: write a
  end do
  !$omp end target
  !$omp end single
  !$omp end parallel
  !$omp target exit data map(from : a)
  if (sum(a) < 0) error stop
end program
