import { plusMonths } from '@lessonbook/contract/dates';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { sessionsQuery } from './api.ts';
import { byDay } from './day.ts';
import { firstOfMonth, monthDays } from './month.ts';

/** The sheet of the month in view, read as one range. Week board and week strip lie inside it. */
export const monthQuery = (date: string) => {
  const days = monthDays(date);
  return sessionsQuery(days[0] ?? date, days.at(-1) ?? date);
};

/** While the next month is on its way the old one stays, so that nothing jumps; its neighbours are fetched ahead. */
export function useMonthSessions(date: string) {
  const sheet = useQuery({ ...monthQuery(date), placeholderData: keepPreviousData });
  const client = useQueryClient();
  const month = firstOfMonth(date);
  const settled = sheet.isSuccess && !sheet.isPlaceholderData;

  useEffect(() => {
    if (!settled) return;
    for (const step of [1, -1]) void client.prefetchQuery(monthQuery(plusMonths(month, step)));
  }, [client, month, settled]);

  const days = useMemo(() => byDay(sheet.data ?? []), [sheet.data]);
  return {
    days,
    failed: sheet.isError && sheet.data === undefined,
    retry: () => void sheet.refetch(),
    /** A day whose lessons are not known yet is not an empty one. */
    isKnown: (day: string) => settled || days.has(day),
  };
}
