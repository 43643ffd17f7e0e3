import { type StudentInput, students } from '@lessonbook/contract/students';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call, callAllPages } from '../../lib/http.ts';
import { sortByName } from '../../lib/sort-by-name.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';

export const studentsQuery = queryOptions({
  queryKey: ['/api/students'],
  queryFn: async () => sortByName(await callAllPages(students.listStudents)),
});

export const carersQuery = queryOptions({
  queryKey: ['/api/carers'],
  queryFn: async () => sortByName(await callAllPages(students.listCarers)),
});

export function useCreateStudent() {
  const client = useQueryClient();
  const idempotency = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: StudentInput) =>
      call(students.createStudent, { body, idempotencyKey: idempotency.keyFor(body) }),
    meta: { errorFallback: 'Failed to create student. Please try again.' },
    onSuccess: (student) => {
      idempotency.reset();
      // The lesson dialog selects a new student before the list is refetched.
      client.setQueryData(studentsQuery.queryKey, (list) => list && sortByName([...list, student]));
      toastSuccess('Student created successfully');
    },
  });
}

export function useUpdateStudent() {
  return useMutation({
    mutationFn: ({ id, ...body }: StudentInput & { id: number }) =>
      call(students.updateStudent, { params: { id }, body }),
    meta: { errorFallback: 'Failed to update student. Please try again.' },
    onSuccess: () => toastSuccess('Student updated successfully'),
  });
}

export function useDeleteStudent() {
  return useMutation({
    mutationFn: (id: number) => call(students.deleteStudent, { params: { id } }),
    meta: { errorFallback: 'Failed to delete student. Please try again.' },
    onSuccess: () => toastSuccess('Student deleted successfully'),
  });
}
