import { type BusinessSettings, businessSettings } from '@lessonbook/contract/business-settings';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';

export const businessQuery = queryOptions({
  queryKey: ['/api/settings/business'],
  queryFn: () => call(businessSettings.businessSettings),
});

/** Refetches drafts, because they show the current business details. */
export function useSaveBusiness() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BusinessSettings) => call(businessSettings.saveBusinessSettings, { body }),
    meta: { errorFallback: 'Failed to save your business details. Please try again.' },
    onSuccess: async (saved) => {
      client.setQueryData(businessQuery.queryKey, saved);
      await client.invalidateQueries({ queryKey: ['/api/invoices'] });
      toastSuccess('Business details saved');
    },
  });
}
