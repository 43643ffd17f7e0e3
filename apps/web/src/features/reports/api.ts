import { families } from '@lessonbook/contract/families';
import { payments } from '@lessonbook/contract/payments';
import type { Period } from '@lessonbook/contract/periods';
import { reports } from '@lessonbook/contract/reports';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callAllPages } from '../../lib/http.ts';

export const earningsQuery = (period: Period) =>
  queryOptions({
    queryKey: ['/api/reports', 'earnings', period],
    queryFn: () => call(reports.earnings, { query: { period } }),
  });

const PAGE_SIZE = 50;

export const paymentsQuery = (period: Period) =>
  infiniteQueryOptions({
    queryKey: ['/api/payments', 'list', period],
    queryFn: ({ pageParam }) =>
      call(payments.listPayments, { query: { period, limit: PAGE_SIZE, offset: pageParam } }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < PAGE_SIZE ? undefined : all.length * PAGE_SIZE),
  });

/** Oldest debt first. Under '/api/families', because every change to an account affects the balances. */
export const balancesQuery = queryOptions({
  queryKey: ['/api/families', 'balances'],
  queryFn: async () =>
    (await callAllPages(families.balances)).toSorted(
      (a, b) => (a.oldestDueDate ?? '').localeCompare(b.oldestDueDate ?? '') || a.id - b.id,
    ),
});
