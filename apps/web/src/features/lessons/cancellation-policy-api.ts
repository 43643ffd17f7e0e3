import {
  type CancellationPolicySettings,
  cancellationPolicy,
} from '@lessonbook/contract/cancellation-policy-settings';
import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';

/* Not in api.ts, so that the settings page does not load the lesson mutations. */

export const policyQuery = queryOptions({
  queryKey: ['/api/settings/cancellation-policy'],
  queryFn: () => callApi(cancellationPolicy.policy),
});

function useUpdateCache() {
  const client = useQueryClient();
  return (settings: CancellationPolicySettings) =>
    client.setQueryData(policyQuery.queryKey, settings);
}

export function useUpdatePolicy() {
  const updateCache = useUpdateCache();
  return useMutation({
    mutationFn: (body: EndpointInput<typeof cancellationPolicy.updatePolicy>['body']) =>
      callApi(cancellationPolicy.updatePolicy, { body }),
    meta: { errorFallback: "We couldn't save your cancellation policy. Please try again." },
    onSuccess: (settings) => {
      updateCache(settings);
      toastSuccess('Cancellation policy saved');
    },
  });
}

export function useWithdrawPlannedPolicy() {
  const updateCache = useUpdateCache();
  return useMutation({
    mutationFn: () => callApi(cancellationPolicy.deletePlannedPolicy),
    meta: { errorFallback: "We couldn't withdraw the change. Please try again." },
    onSuccess: (settings) => {
      updateCache(settings);
      toastSuccess('Change withdrawn');
    },
  });
}
