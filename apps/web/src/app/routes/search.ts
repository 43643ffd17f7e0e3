import type { ScheduleSearch } from '../../pages/schedule-search.ts';

/* By shape alone: the landing page loads this too, and the arithmetic of dates would come with the real check. */
const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** The chosen day stands in the address; anything else there is as good as nothing. */
export function daySearch(search: Record<string, unknown>): { date?: string } {
  const { date } = search;
  return typeof date === 'string' && DAY.test(date) ? { date } : {};
}

export function scheduleSearch(search: Record<string, unknown>): ScheduleSearch {
  const { view, board } = search;
  return {
    ...daySearch(search),
    ...((view === 'students' || view === 'subjects') && { view }),
    ...(board === 'week' && { board }),
  };
}

/** Lessons are reached from one of their sessions, which the address remembers. */
export function sessionSearch(search: Record<string, unknown>): { session?: number } {
  const session = Number(search['session']);
  return Number.isInteger(session) && session > 0 ? { session } : {};
}
