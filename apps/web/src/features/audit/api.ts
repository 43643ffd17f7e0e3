import { audit } from '@lessonbook/contract/audit';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';

const PAGE_SIZE = 50;

export const activityQuery = infiniteQueryOptions({
  queryKey: ['/api/activity'],
  queryFn: ({ pageParam }) =>
    call(audit.listAuditEntries, { query: { limit: PAGE_SIZE, offset: pageParam } }),
  initialPageParam: 0,
  getNextPageParam: (last, all) =>
    last.entries.length < PAGE_SIZE ? undefined : all.length * PAGE_SIZE,
  // Always fetched, so that the newest entry is included.
  staleTime: 0,
});
