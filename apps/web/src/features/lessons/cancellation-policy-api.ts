import {
  type CancellationPolicy,
  cancellationPolicy,
} from '@lessonbook/contract/cancellation-policy-settings';
import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';

const isFree = ({ noticeHours, feePercent }: CancellationPolicy): boolean =>
  noticeHours === 0 || feePercent === 0;

/** '24 h, 100 %' */
export const formatPolicyShort = (policy: CancellationPolicy): string =>
  isFree(policy) ? 'Free' : `${policy.noticeHours} h, ${policy.feePercent} %`;

export const formatPolicy = (policy: CancellationPolicy): string =>
  isFree(policy)
    ? 'Cancelling is always free.'
    : `With less than ${policy.noticeHours} h of notice, ${policy.feePercent} % of the fee is suggested.`;

/* Not in api.ts, so that the settings page does not load the lesson mutations. */

export const policyQuery = queryOptions({
  queryKey: ['/api/settings/cancellation-policy'],
  queryFn: () => call(cancellationPolicy.policy),
});

export function useUpdatePolicy() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: EndpointInput<typeof cancellationPolicy.updatePolicy>['body']) =>
      call(cancellationPolicy.updatePolicy, { body }),
    meta: { errorFallback: 'Failed to save the policy. Please try again.' },
    onSuccess: (policy) => {
      client.setQueryData(policyQuery.queryKey, policy);
      toastSuccess('Cancellation policy saved');
    },
  });
}
