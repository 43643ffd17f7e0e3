import { type ImportInput, imports } from '@lessonbook/contract/import';
import { useMutation } from '@tanstack/react-query';
import { pluralize } from '../../lib/format.ts';
import { callApi } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';

export function usePreviewImport() {
  return useMutation({
    mutationFn: (body: ImportInput) => callApi(imports.previewImport, { body }),
    meta: {
      errorTitle: "We couldn't read this file",
      errorFallback: "We couldn't read the file. Please try again.",
    },
  });
}

export function useImport() {
  return useMutation({
    mutationFn: ({ idempotencyKey, ...body }: ImportInput & { idempotencyKey: string }) =>
      callApi(imports.importFile, { body, idempotencyKey }),
    meta: { errorFallback: "We couldn't import the file. Nothing was saved. Please try again." },
    onSuccess: ({ added, updated, skipped }, { kind }) => {
      const noun = kind === 'students' ? 'student' : 'lesson';
      const details = [
        updated > 0 && `${pluralize(updated, noun)} updated.`,
        skipped > 0 && `${pluralize(skipped, 'row')} left out.`,
      ].filter((detail) => typeof detail === 'string');
      toastSuccess(`${pluralize(added, noun)} imported`, details.join(' ') || undefined);
    },
  });
}
