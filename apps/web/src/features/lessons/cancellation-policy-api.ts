import {
  type CancellationPolicy,
  cancellationPolicy,
} from '@lessonbook/contract/cancellation-policy-settings';
import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { pluralize } from '../../lib/format.ts';
import { call } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';

const isFree = ({ noticeHours, feePercent }: CancellationPolicy): boolean =>
  noticeHours === 0 || feePercent === 0;

/** '24 hours, 100%' */
export const formatPolicyShort = (policy: CancellationPolicy): string =>
  isFree(policy) ? 'Free' : `${pluralize(policy.noticeHours, 'hour')}, ${policy.feePercent}%`;

export const formatPolicy = (policy: CancellationPolicy): string =>
  isFree(policy)
    ? 'Cancelling is always free.'
    : `With less than ${pluralize(policy.noticeHours, "hour's", "hours'")} notice, we suggest charging ${policy.feePercent}% of the fee.`;

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
    meta: { errorFallback: "We couldn't save your cancellation policy. Please try again." },
    onSuccess: (policy) => {
      client.setQueryData(policyQuery.queryKey, policy);
      toastSuccess('Cancellation policy saved');
    },
  });
}
