import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { whatsappConsents } from '@lessonbook/contract/whatsapp-consent';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';

export const consentsQuery = queryOptions({
  queryKey: ['/api/whatsapp/consents'],
  queryFn: () => callApi(whatsappConsents.listConsents),
  // A STOP message from a family's phone also withdraws consent.
  staleTime: 0,
});

export function useGrantConsent() {
  return useMutation({
    mutationFn: (id: number) => callApi(whatsappConsents.grantConsent, { params: { id } }),
    meta: { errorFallback: "That couldn't be saved. Please try again." },
    onSuccess: ({ toName }) =>
      toastSuccess('On its way', `WhatsApp reminders to ${toName} will now be sent automatically.`),
  });
}

export function useWithdrawConsent() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: EndpointInput<typeof whatsappConsents.withdrawConsent>['body']) =>
      callApi(whatsappConsents.withdrawConsent, { body }),
    meta: { errorFallback: "That couldn't be changed. Please try again." },
    onSuccess: (consents) => {
      client.setQueryData(consentsQuery.queryKey, consents);
      toastSuccess(
        'Consent withdrawn',
        'Reminders to this number will be saved in Messages for you to send.',
      );
    },
  });
}
