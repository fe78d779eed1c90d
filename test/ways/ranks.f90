! SPDX-License-Identifier: BSD-3-Clause
! A hybrid program: each rank's threads share out a loop, the ranks add up.
program ranks
  use mpi
  implicit none
  integer :: error, rank, i, mine, total

  call mpi_init(error)
  call mpi_comm_rank(mpi_comm_world, rank, error)
  mine = 0
  !$omp parallel do schedule(dynamic) reduction(+:mine) num_threads(2)
  do i = 1, 100
    mine = mine + i
  end do
  call mpi_reduce(mine, total, 1, mpi_integer, mpi_sum, 0, mpi_comm_world, error)
  if (rank == 0) print '(a, i0)', 'total ', total
  call mpi_finalize(error)
end program
