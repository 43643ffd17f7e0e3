import { type ImportInput, imports } from '@lessonbook/contract/import';
import { useMutation } from '@tanstack/react-query';
import { pluralize } from '../../lib/format.ts';
import { call } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';

export function usePreviewImport() {
  return useMutation({
    mutationFn: (body: ImportInput) => call(imports.previewImport, { body }),
    meta: {
      errorTitle: 'This file cannot be read',
      errorFallback: 'Failed to read the file. Please try again.',
    },
  });
}

export function useImport() {
  return useMutation({
    mutationFn: ({ idempotencyKey, ...body }: ImportInput & { idempotencyKey: string }) =>
      call(imports.importFile, { body, idempotencyKey }),
    meta: { errorFallback: 'Failed to import. Nothing was saved.' },
    onSuccess: ({ added }, { kind }) =>
      toastSuccess(`${pluralize(added, kind === 'students' ? 'student' : 'lesson')} imported`),
  });
}
