! SPDX-License-Identifier: BSD-3-Clause
! reduction: contributions to a small array from all iterations.
! Two iterations add to the same element. The fixed construct reduces the array (OpenMP 5.2,
! 5.5.8).
program bins_of_values
  implicit none
  integer :: bins(5), i

  bins = 0
#ifdef FIXED
  !$omp parallel do reduction(+: bins)
#else
  !$omp parallel do
#endif
  do i = 1, 500
     bins(modulo(i * i, 5) + 1) = bins(modulo(i * i, 5) + 1) + 1 ! race: write bins
  end do
  if (sum(bins) /= 500) stop 1
end program
