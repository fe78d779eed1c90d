! SPDX-License-Identifier: BSD-3-Clause
! simd: a conditional count in a simd loop without reduction.
! All lanes change the count (OpenMP 5.2, 10.4). The fixed loop reduces it.
program counting
  implicit none
  integer :: values(200), count, i

  values = [(modulo(i, 4), i = 1, 200)]
  count = 0
#ifdef FIXED
  !$omp simd reduction(+: count)
#else
  !$omp simd
#endif
  do i = 1, 200
     if (values(i) == 2) count = count + 1 ! race: write count
  end do
  if (count /= 50) stop 1
end program
