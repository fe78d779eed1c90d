! SPDX-License-Identifier: BSD-3-Clause
! Fortran's calls: a ring of messages, then collective operations. Says what it sent.
program ring
  use mpi
  implicit none
  integer :: rank, size, next, previous, error, i, twin, half
  integer :: requests(2), statuses(MPI_STATUS_SIZE, 2), status(MPI_STATUS_SIZE)
  integer :: out(4), in(4), total
  integer, allocatable :: all(:)
  logical :: flag
  call mpi_init(error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call mpi_comm_size(MPI_COMM_WORLD, size, error)
  next = mod(rank + 1, size)
  previous = mod(rank + size - 1, size)
  out = rank
  allocate(all(4 * size))
  call mpi_comm_dup(MPI_COMM_WORLD, twin, error)
  call mpi_comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, error)
  do i = 1, 3
    call mpi_irecv(in, 4, MPI_INTEGER, MPI_ANY_SOURCE, i, twin, requests(1), error)
    call mpi_isend(out, 4, MPI_INTEGER, next, i, twin, requests(2), error)
    if (i == 1) then
      call mpi_waitall(2, requests, MPI_STATUSES_IGNORE, error)
    else if (i == 2) then
      call mpi_waitall(2, requests, statuses, error)
      if (statuses(MPI_SOURCE, 1) /= previous) stop 2
    else
      call mpi_wait(requests(2), MPI_STATUS_IGNORE, error)
      flag = .false.
      do while (.not. flag)
        call mpi_test(requests(1), flag, status, error)
      end do
      if (status(MPI_SOURCE) /= previous) stop 3
    end if
    if (in(1) /= previous) stop 1
  end do
  if (rank == 0) then
    call mpi_send(out, 2, MPI_INTEGER, next, 9, MPI_COMM_WORLD, error)
    call mpi_recv(in, 2, MPI_INTEGER, previous, 9, MPI_COMM_WORLD, status, error)
  else
    call mpi_recv(in, 2, MPI_INTEGER, previous, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call mpi_send(out, 2, MPI_INTEGER, next, 9, MPI_COMM_WORLD, error)
  end if
  call mpi_sendrecv(out, 1, MPI_INTEGER, next, 10, in, 1, MPI_INTEGER, previous, 10, MPI_COMM_WORLD, status, error)
  call mpi_bcast(out, 4, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  call mpi_allgather(out, 4, MPI_INTEGER, all, 4, MPI_INTEGER, MPI_COMM_WORLD, error)
  call mpi_allreduce(MPI_IN_PLACE, in, 1, MPI_INTEGER, MPI_SUM, twin, error)
  call mpi_reduce(rank, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
  call mpi_barrier(half, error)
  if (rank == 0) print '(a,i0,a,i0,a)', 'sent ', 5 * size, ' messages ', (3 * 16 + 8 + 4) * size, ' bytes'
  call mpi_comm_free(twin, error)
  call mpi_finalize(error)
end program
