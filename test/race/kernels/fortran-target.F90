! SPDX-License-Identifier: BSD-3-Clause
! target: a target region with nowait is followed by the use of its result.
! It is a task that may be deferred (OpenMP 5.2, 13.8). The fixed one waits.
program offload
  implicit none
  integer :: a(40), total, i

  a = 1
  total = 0
  !$omp parallel
  !$omp single
  !$omp target map(tofrom: a) nowait private(i)
  do i = 1, 40
     a(i) = a(i) + i ! race: write a
  end do
  !$omp end target
#ifdef FIXED
  !$omp taskwait
#endif
  do i = 1, 40
     total = total + a(i) ! race: read a
  end do
  !$omp end single
  !$omp end parallel
  if (total /= 860) stop 1
end program
