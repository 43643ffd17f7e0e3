import type { reports } from '@lessonbook/contract/reports';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';

/* Written out, as the current user's call is: it is made while the home screen itself is still on its way. */
const dashboard = {
  method: 'GET',
  path: '/api/dashboard',
} as const satisfies Pick<typeof reports.dashboard, 'method' | 'path'>;

export const dashboardQuery = queryOptions({
  queryKey: [dashboard.path],
  queryFn: () => call(dashboard as typeof reports.dashboard),
});
