import type { dashboard } from '@lessonbook/contract/dashboard';
import { queryOptions } from '@tanstack/react-query';
import { callApi } from '../../lib/http.ts';

/* Declared here, like the current user's endpoint, because it is requested before the contract's schemas are loaded. */
const dashboardEndpoint = {
  method: 'GET',
  path: '/api/dashboard',
} as const satisfies Pick<typeof dashboard.dashboard, 'method' | 'path'>;

export const dashboardQuery = queryOptions({
  queryKey: [dashboardEndpoint.path],
  queryFn: () => callApi(dashboardEndpoint as typeof dashboard.dashboard),
});
