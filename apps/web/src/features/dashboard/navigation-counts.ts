import type { dashboard } from '@lessonbook/contract/dashboard';
import { queryOptions } from '@tanstack/react-query';
import { callApi } from '../../lib/http.ts';

/* Declared here rather than imported from the contract: every page requests the counts, and must not load the contract's
   schemas for them. */
const navigationCounts = {
  method: 'GET',
  path: '/api/navigation-counts',
} as const satisfies Pick<typeof dashboard.navigationCounts, 'method' | 'path'>;

export const navigationCountsQuery = queryOptions({
  queryKey: [navigationCounts.path],
  queryFn: () => callApi(navigationCounts as typeof dashboard.navigationCounts),
});
