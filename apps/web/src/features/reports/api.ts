import { reports } from '@lessonbook/contract/reports';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';

export const dashboardQuery = queryOptions({
  queryKey: ['/api/dashboard'],
  queryFn: () => call(reports.dashboard),
});
