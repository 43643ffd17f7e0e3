import { families } from '@lessonbook/contract/families';
import { payments } from '@lessonbook/contract/payments';
import type { Period } from '@lessonbook/contract/periods';
import { reports } from '@lessonbook/contract/reports';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';

export const firstStepsQuery = queryOptions({
  // Below the home screen's: whatever changes that may be one of the steps.
  queryKey: ['/api/dashboard', 'first-steps'],
  queryFn: () => call(reports.firstSteps),
  // Steps are also done on pages that the home screen does not depend on.
  staleTime: 0,
});

export const earningsQuery = (period: Period) =>
  queryOptions({
    queryKey: ['/api/reports', 'earnings', period],
    queryFn: () => call(reports.earnings, { query: { period } }),
  });

const A_SCREENFUL = 50;

export const paymentsQuery = (period: Period) =>
  infiniteQueryOptions({
    queryKey: ['/api/payments', 'list', period],
    queryFn: ({ pageParam }) =>
      call(payments.listPayments, { query: { period, limit: A_SCREENFUL, offset: pageParam } }),
    initialPageParam: 0,
    getNextPageParam: (last, all) =>
      last.length < A_SCREENFUL ? undefined : all.length * A_SCREENFUL,
  });

/** Among the families' keys: whatever changes an account changes what is owed. */
export const balancesQuery = queryOptions({
  queryKey: ['/api/families', 'balances'],
  queryFn: () => call(families.balances),
});
