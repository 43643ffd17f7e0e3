import { plusMonths } from '@lessonbook/contract/dates';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { sessionsQuery } from './api.ts';
import { firstOfMonth, groupByDay, monthDays } from './calendar-days.ts';

/** The sheet of the month in view, read as one range. Week board and week strip lie inside it. */
export const monthQuery = (date: string) => {
  const days = monthDays(date);
  return sessionsQuery(days[0] ?? date, days.at(-1) ?? date);
};

/** While the next month is on its way the old one stays, so that nothing jumps; its neighbours are fetched ahead. */
export function useMonthSessions(date: string) {
  const sessions = useQuery({ ...monthQuery(date), placeholderData: keepPreviousData });
  const client = useQueryClient();
  const month = firstOfMonth(date);
  const settled = sessions.isSuccess && !sessions.isPlaceholderData;

  useEffect(() => {
    if (!settled) return;
    for (const step of [1, -1]) void client.prefetchQuery(monthQuery(plusMonths(month, step)));
  }, [client, month, settled]);

  const days = useMemo(() => groupByDay(sessions.data ?? []), [sessions.data]);
  return {
    days,
    failed: sessions.isError && sessions.data === undefined,
    retry: () => void sessions.refetch(),
    /** A day whose lessons are not known yet is not an empty one. */
    isKnown: (day: string) => settled || days.has(day),
  };
}
