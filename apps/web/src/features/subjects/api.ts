import { type SubjectInput, subjects } from '@lessonbook/contract/subjects';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';

export const subjectsQuery = queryOptions({
  queryKey: ['/api/subjects'],
  queryFn: () => call(subjects.listSubjects),
});

/** Invalidates everything that shows a subject's name or colour. */
function useRefresh() {
  const client = useQueryClient();
  return () =>
    Promise.all(
      ['/api/subjects', '/api/sessions', '/api/lessons', '/api/dashboard'].map((key) =>
        client.invalidateQueries({ queryKey: [key] }),
      ),
    );
}

export function useCreateSubject() {
  const refresh = useRefresh();
  const idempotency = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: SubjectInput) =>
      call(subjects.createSubject, { body, idempotencyKey: idempotency.keyFor(body) }),
    meta: { errorFallback: 'Failed to create subject. Please try again.' },
    onSuccess: async () => {
      idempotency.reset();
      await refresh();
      toastSuccess('Subject created successfully');
    },
  });
}

export function useUpdateSubject() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ id, ...body }: SubjectInput & { id: number }) =>
      call(subjects.updateSubject, { params: { id }, body }),
    meta: { errorFallback: 'Failed to update subject. Please try again.' },
    onSuccess: async () => {
      await refresh();
      toastSuccess('Subject updated successfully');
    },
  });
}

export function useDeleteSubject() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: number) => call(subjects.deleteSubject, { params: { id } }),
    meta: { errorFallback: 'Failed to delete subject. Please try again.' },
    onSuccess: async () => {
      await refresh();
      toastSuccess('Subject deleted successfully');
    },
  });
}
