! SPDX-License-Identifier: BSD-3-Clause
! reduction: a scalar product without reduction clause.
! The sum is shared (OpenMP 5.2, 5.1.1). The fixed loop reduces it.
program scalar_product
  implicit none
  real(8) :: x(400), y(400), total
  integer :: i

  x = 2
  y = 0.5d0
  total = 0
#ifdef FIXED
  !$omp parallel do reduction(+: total)
#else
  !$omp parallel do
#endif
  do i = 1, 400
     total = total + x(i) * y(i) ! race: write total
  end do
  if (total /= 400) stop 1
end program
