import {
  type AgreementInput,
  type AskedToAgree,
  agreements,
} from '@lessonbook/contract/agreements';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { pluralize } from '../../lib/format.ts';
import { callApi } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';

export const agreementQuery = queryOptions({
  queryKey: ['/api/settings/agreement'],
  queryFn: () => callApi(agreements.agreement),
});

export function usePublishAgreement() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: { body: AgreementInput; idempotencyKey: string }) =>
      callApi(agreements.publishAgreement, input),
    meta: { errorFallback: "We couldn't publish your agreement. Please try again." },
    onSuccess: (settings) => {
      client.setQueryData(agreementQuery.queryKey, settings);
      toastSuccess('Agreement published');
    },
  });
}

export const useAskToAgree = () =>
  useMutation({
    mutationFn: (version: number) => callApi(agreements.askToAgree, { params: { version } }),
    meta: { errorFallback: "We couldn't send the emails. Please try again." },
    onSuccess: (counts) => toastSuccess(...formatAsked(counts)),
  });

/** The title and text of the toast. The text says why some people were not asked. */
function formatAsked(counts: AskedToAgree): [title: string, message?: string] {
  const { sent, alreadyAsked, withoutAccess, withoutEmail, undeliverable } = counts;
  const isUnreached = withoutAccess + withoutEmail + undeliverable > 0;
  if (sent === 0 && !isUnreached)
    return [alreadyAsked > 0 ? 'Everyone has been asked already' : 'Everyone has agreed already'];
  const sentence = (count: number, one: string, many: string) =>
    count === 0 ? [] : `${pluralize(count, 'person', 'people')} ${count === 1 ? one : many}.`;
  const message = [
    sentence(alreadyAsked, 'was asked before', 'were asked before'),
    sentence(withoutAccess, "can't use the family portal", "can't use the family portal"),
    sentence(withoutEmail, 'has no email address', 'have no email address'),
    sentence(undeliverable, "couldn't be emailed", "couldn't be emailed"),
  ]
    .flat()
    .join(' ');
  const title =
    sent > 0 ? `Asked ${pluralize(sent, 'person', 'people')} by email` : 'No one was asked';
  return message ? [title, message] : [title];
}
