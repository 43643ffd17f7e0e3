import type { ScheduleSearch } from '../../pages/Schedule.tsx';

const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** The chosen day stands in the address; anything else there is as good as nothing. */
export function daySearch(search: Record<string, unknown>): { date?: string } {
  const { date } = search;
  return typeof date === 'string' && DAY.test(date) ? { date } : {};
}

export function scheduleSearch(search: Record<string, unknown>): ScheduleSearch {
  const { view } = search;
  const chosen = view === 'students' || view === 'subjects' ? { view } : {};
  return { ...daySearch(search), ...chosen } as ScheduleSearch;
}
