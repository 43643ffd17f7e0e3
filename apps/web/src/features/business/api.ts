import { type BusinessSettings, businessSettings } from '@lessonbook/contract/business-settings';
import { dashboard } from '@lessonbook/contract/dashboard';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';

export const businessQuery = queryOptions({
  queryKey: ['/api/settings/business'],
  queryFn: () => callApi(businessSettings.businessSettings),
});

/** Which first steps are done, and whether families can see how to pay. */
export const onboardingQuery = queryOptions({
  queryKey: ['/api/dashboard', 'onboarding'],
  queryFn: () => callApi(dashboard.onboardingProgress),
});

export function useSaveBusiness() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BusinessSettings) =>
      callApi(businessSettings.saveBusinessSettings, { body }),
    meta: { errorFallback: "We couldn't save your business details. Please try again." },
    onSuccess: (saved) => {
      client.setQueryData(businessQuery.queryKey, saved);
      toastSuccess('Business details saved');
    },
  });
}
