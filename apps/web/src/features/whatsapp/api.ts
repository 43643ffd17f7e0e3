import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { whatsappConsents } from '@lessonbook/contract/whatsapp-consent';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';

export const consentsQuery = queryOptions({
  queryKey: ['/api/whatsapp/consents'],
  queryFn: () => call(whatsappConsents.listConsents),
  // A STOP message from a family's phone also withdraws consent.
  staleTime: 0,
});

export function useGrantConsent() {
  return useMutation({
    mutationFn: (id: number) => call(whatsappConsents.grantConsent, { params: { id } }),
    meta: { errorFallback: 'Failed to save that. Please try again.' },
    onSuccess: ({ toName }) =>
      toastSuccess('On its way', `Messages to ${toName} go by themselves.`),
  });
}

export function useWithdrawConsent() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: EndpointInput<typeof whatsappConsents.withdrawConsent>['body']) =>
      call(whatsappConsents.withdrawConsent, { body }),
    meta: { errorFallback: 'Failed to withdraw it. Please try again.' },
    onSuccess: (consents) => {
      client.setQueryData(consentsQuery.queryKey, consents);
      toastSuccess('Withdrawn', 'Messages to this number wait in the tray again.');
    },
  });
}
