import { isDate } from '@lessonbook/contract/dates';
import { families } from '@lessonbook/contract/families';
import { payments } from '@lessonbook/contract/payments';
import { PERIODS } from '@lessonbook/contract/report-periods';
import { type ReportQuery, reports } from '@lessonbook/contract/reports';
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { callAllPages, callApi } from '../../lib/http.ts';

/** The search parameters of the page. */
export interface ReportsSearch {
  show?: 'owed' | 'lessons';
  period?: string;
  from?: string;
  to?: string;
  student?: number;
  subject?: number;
}

/** Falls back to last month if the URL contains an unknown period or invalid dates. */
export function toReportQuery(search: ReportsSearch): ReportQuery {
  const { period: requested, from = '', to = '', student, subject } = search;
  const hasDates = isDate(from) && isDate(to) && from <= to;
  const period =
    PERIODS.find((each) => each === requested && (each !== 'custom' || hasDates)) ?? 'last_month';
  return {
    period,
    ...(period === 'custom' && { from, to }),
    ...(student !== undefined && { studentId: student }),
    ...(subject !== undefined && { subjectId: subject }),
  };
}

export const earningsQuery = (query: ReportQuery) =>
  queryOptions({
    queryKey: ['/api/reports', 'earnings', query],
    queryFn: () => callApi(reports.earnings, { query }),
  });

export const lessonReportQuery = (query: ReportQuery) =>
  queryOptions({
    queryKey: ['/api/reports', 'lessons', query],
    queryFn: () => callApi(reports.lessonReport, { query }),
  });

const PAGE_SIZE = 50;
const nextOffset = (last: readonly unknown[], all: readonly unknown[]) =>
  last.length < PAGE_SIZE ? undefined : all.length * PAGE_SIZE;

export const paymentsQuery = (query: ReportQuery) =>
  infiniteQueryOptions({
    queryKey: ['/api/payments', 'list', query],
    queryFn: ({ pageParam }) =>
      callApi(payments.listPayments, { query: { ...query, limit: PAGE_SIZE, offset: pageParam } }),
    initialPageParam: 0,
    getNextPageParam: nextOffset,
  });

export const sessionsInReportQuery = (query: ReportQuery) =>
  infiniteQueryOptions({
    queryKey: ['/api/reports', 'sessions', query],
    queryFn: ({ pageParam }) =>
      callApi(reports.sessionsInReport, {
        query: { ...query, limit: PAGE_SIZE, offset: pageParam },
      }),
    initialPageParam: 0,
    getNextPageParam: nextOffset,
  });

/** Oldest debt first. Keyed under '/api/families', so that every change to an account also invalidates the balances. */
export const balancesQuery = queryOptions({
  queryKey: ['/api/families', 'balances'],
  queryFn: async () =>
    (await callAllPages(families.balances)).toSorted(
      (a, b) => (a.oldestDueDate ?? '').localeCompare(b.oldestDueDate ?? '') || a.id - b.id,
    ),
});

/** Loads what the page shows first. */
export function prefetchReport(client: QueryClient, search: ReportsSearch): Promise<void> {
  if (search.show === 'owed') return client.prefetchQuery(balancesQuery);
  const query = toReportQuery(search);
  return search.show === 'lessons'
    ? client.prefetchQuery(lessonReportQuery(query))
    : client.prefetchQuery(earningsQuery(query));
}
