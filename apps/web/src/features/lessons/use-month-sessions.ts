import { addMonthsToDate } from '@lessonbook/contract/dates';
import { type TimeOff, timeOff } from '@lessonbook/contract/time-off';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { callApi } from '../../lib/http.ts';
import { sessionsQuery } from './api.ts';
import { firstOfMonth, groupByDay, monthDays } from './calendar-and-series-dates.ts';

/** Includes past time off, which the calendar shows. */
export const timeOffBetweenQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: ['/api/time-off', 'range', from, to],
    queryFn: () => callApi(timeOff.listTimeOff, { query: { from, to } }),
  });

/** The month grid as a single range, which includes the visible week. */
export const monthQuery = (date: string) => {
  const days = monthDays(date);
  return sessionsQuery(days[0] ?? date, days.at(-1) ?? date);
};

const NO_TIME_OFF: readonly TimeOff[] = [];

export const monthTimeOffQuery = (date: string) => {
  const days = monthDays(date);
  return timeOffBetweenQuery(days[0] ?? date, days.at(-1) ?? date);
};

/** Keeps the previous month visible while the next one loads, and prefetches the adjacent months. */
export function useMonthSessions(date: string) {
  const sessions = useQuery({ ...monthQuery(date), placeholderData: keepPreviousData });
  const monthTimeOff = useQuery({ ...monthTimeOffQuery(date), placeholderData: keepPreviousData });
  const client = useQueryClient();
  const month = firstOfMonth(date);
  const isLoaded = sessions.isSuccess && !sessions.isPlaceholderData;

  useEffect(() => {
    if (!isLoaded) return;
    for (const step of [1, -1]) {
      const adjacent = addMonthsToDate(month, step);
      void client.prefetchQuery(monthQuery(adjacent));
      void client.prefetchQuery(monthTimeOffQuery(adjacent));
    }
  }, [client, month, isLoaded]);

  const days = useMemo(() => groupByDay(sessions.data ?? []), [sessions.data]);
  return {
    days,
    timeOff: monthTimeOff.data ?? NO_TIME_OFF,
    failed: sessions.isError && sessions.data === undefined,
    retry: () => void Promise.all([sessions.refetch(), monthTimeOff.refetch()]),
    /** Distinguishes a day that is not loaded yet from an empty one. */
    isDayLoaded: (day: string) => isLoaded || days.has(day),
  };
}
