import { addMonthsToDate } from '@lessonbook/contract/dates';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { sessionsQuery } from './api.ts';
import { firstOfMonth, groupByDay, monthDays } from './calendar-days.ts';

/** The month grid as a single range, which includes the visible week. */
export const monthQuery = (date: string) => {
  const days = monthDays(date);
  return sessionsQuery(days[0] ?? date, days.at(-1) ?? date);
};

/** Keeps the previous month visible while the next one loads, and prefetches the adjacent months. */
export function useMonthSessions(date: string) {
  const sessions = useQuery({ ...monthQuery(date), placeholderData: keepPreviousData });
  const client = useQueryClient();
  const month = firstOfMonth(date);
  const isLoaded = sessions.isSuccess && !sessions.isPlaceholderData;

  useEffect(() => {
    if (!isLoaded) return;
    for (const step of [1, -1]) void client.prefetchQuery(monthQuery(addMonthsToDate(month, step)));
  }, [client, month, isLoaded]);

  const days = useMemo(() => groupByDay(sessions.data ?? []), [sessions.data]);
  return {
    days,
    failed: sessions.isError && sessions.data === undefined,
    retry: () => void sessions.refetch(),
    /** Distinguishes a day that is not loaded yet from an empty one. */
    isDayLoaded: (day: string) => isLoaded || days.has(day),
  };
}
