import { type AgreementInput, agreements } from '@lessonbook/contract/agreements';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { pluralize } from '../../lib/format.ts';
import { call } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';

export const agreementQuery = queryOptions({
  queryKey: ['/api/settings/agreement'],
  queryFn: () => call(agreements.agreement),
});

export function usePublishAgreement() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: { body: AgreementInput; idempotencyKey: string }) =>
      call(agreements.publishAgreement, input),
    meta: { errorFallback: "We couldn't publish your agreement. Please try again." },
    onSuccess: (settings) => {
      client.setQueryData(agreementQuery.queryKey, settings);
      toastSuccess('Agreement published');
    },
  });
}

export const useAskToAgree = () =>
  useMutation({
    mutationFn: (version: number) => call(agreements.askToAgree, { params: { version } }),
    meta: { errorFallback: "We couldn't send the emails. Please try again." },
    onSuccess: ({ sent }) => {
      toastSuccess(
        sent === 0
          ? 'Everyone with an email address has been asked already'
          : `Asked ${pluralize(sent, 'person', 'people')} by email`,
      );
    },
  });
