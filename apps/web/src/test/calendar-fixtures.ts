import type { CalendarStatus, ExternalChange } from '@lessonbook/contract/calendar';

/** Never connected, unless told otherwise. Today is 15 November 2026. */
export const calendarStatus = (change: Partial<CalendarStatus> = {}): CalendarStatus => ({
  connected: false,
  offered: true,
  problem: null,
  lastSyncAt: null,
  nextTryAt: null,
  lessons: 0,
  waiting: 0,
  initialSyncRunning: false,
  ...change,
});

/** All is in Google since five past four. */
export const syncedStatus = (change: Partial<CalendarStatus> = {}): CalendarStatus =>
  calendarStatus({
    connected: true,
    lastSyncAt: '2026-11-15T16:05:00Z',
    lessons: 1040,
    ...change,
  });

/** Maya's maths of today, moved to Tuesday. */
export const calendarProposal = (change: Partial<ExternalChange> = {}): ExternalChange => ({
  id: 4,
  sessionId: 12,
  kind: 'moved',
  date: '2026-11-15',
  startTime: '16:00',
  endTime: '17:00',
  title: 'Maya Okafor - Maths GCSE',
  studentName: 'Maya Okafor',
  to: { date: '2026-11-17', startTime: '17:00', endTime: '18:00' },
  ...change,
});
