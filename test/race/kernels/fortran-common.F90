! SPDX-License-Identifier: BSD-3-Clause
! data: a subroutine hands values on through a common block.
! Common blocks are shared (OpenMP 5.2, 5.1.1). The fixed one is threadprivate (5.2).
subroutine scale_value()
  implicit none
  real :: factor, product
  common /scaling/ factor, product
#ifdef FIXED
  !$omp threadprivate(/scaling/)
#endif
  product = factor * 2.0 ! race: write product; race: read factor
end subroutine

program common_block
  implicit none
  real :: factor, product
  common /scaling/ factor, product
#ifdef FIXED
  !$omp threadprivate(/scaling/)
#endif
  real :: total
  integer :: i

  total = 0
  !$omp parallel do reduction(+: total)
  do i = 1, 100
     factor = real(i) ! race: write factor
     call scale_value()
     total = total + product ! race: read product
  end do
  if (total /= 10100.0) stop 1
end program
