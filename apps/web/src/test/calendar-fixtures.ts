import type { CalendarStatus, ExternalChange } from '@lessonbook/contract/calendar';

/** Not connected by default. Today is 15 November 2026. */
export const calendarStatus = (overrides: Partial<CalendarStatus> = {}): CalendarStatus => ({
  connected: false,
  offered: true,
  problem: null,
  lastSyncAt: null,
  nextTryAt: null,
  lessons: 0,
  waiting: 0,
  initialSyncRunning: false,
  ...overrides,
});

/** Synced at 16:05. */
export const syncedStatus = (overrides: Partial<CalendarStatus> = {}): CalendarStatus =>
  calendarStatus({
    connected: true,
    lastSyncAt: '2026-11-15T16:05:00Z',
    lessons: 1040,
    ...overrides,
  });

/** Maya's session today, moved to Tuesday in Google Calendar. */
export const calendarChange = (overrides: Partial<ExternalChange> = {}): ExternalChange => ({
  id: 4,
  sessionId: 12,
  kind: 'moved',
  date: '2026-11-15',
  startTime: '16:00',
  endTime: '17:00',
  title: 'Maya Okafor - Maths GCSE',
  studentName: 'Maya Okafor',
  to: { date: '2026-11-17', startTime: '17:00', endTime: '18:00' },
  ...overrides,
});
