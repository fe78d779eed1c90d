! SPDX-License-Identifier: BSD-3-Clause
! A library for `early FILE`: MPI by Fortran's bindings, which only dlopen() brings.
function sum_of_ranks() result(total) bind(c)
  use iso_c_binding
  use mpi
  implicit none
  integer(c_int) :: total
  integer :: error, rank
  call mpi_init(error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call mpi_allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call mpi_finalize(error)
end function
