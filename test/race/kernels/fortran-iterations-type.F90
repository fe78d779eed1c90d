! SPDX-License-Identifier: BSD-3-Clause
! iterations: an array of a derived type, a directive that fills its line, and one conflict.
! The fixed one has none.
program derived
  implicit none
  type cell
     integer :: value
     real :: weight
  end type
  integer, parameter :: n = 640
  type(cell) :: cells_of_the_first_grid(n + 1)
  integer :: number_of_iteration, weight_total

  cells_of_the_first_grid = cell(0, 1.0)
  weight_total = 0
  !$omp parallel do default(none) shared(cells_of_the_first_grid) private(number_of_iteration) reduction(+: weight_total)
  do number_of_iteration = 1, n
     cells_of_the_first_grid(number_of_iteration)%value = 5 ! race: write value
#ifndef FIXED
     if (number_of_iteration == 100) then
        cells_of_the_first_grid(number_of_iteration + 1)%value = 5 ! race: write value
     end if
#endif
     weight_total = weight_total + 1
  end do
  if (any(cells_of_the_first_grid(1:n)%value /= 5) .or. weight_total /= n) stop 1
end program
