import type { CalendarStatus, ExternalChange } from '@lessonbook/contract/calendar';
import type { SessionNotes } from '@lessonbook/contract/lesson-notes';
import type { MoveRequest } from '@lessonbook/contract/move-requests';
import type { Session, SessionRow } from '@lessonbook/contract/sessions';

let lastId = 100;

/** Maya's maths session today by default. */
export function sessionRow(overrides: Partial<SessionRow> = {}): SessionRow {
  lastId += 1;
  return {
    id: lastId,
    lessonId: 7,
    date: '2026-11-15',
    startTime: '16:00',
    endTime: '17:00',
    status: 'scheduled',
    title: 'Maya Okafor - Maths GCSE',
    studentId: 1,
    studentName: 'Maya Okafor',
    subjectId: 1,
    subjectName: 'Maths GCSE',
    subjectColor: 'pine',
    fee: 3500,
    currency: 'GBP',
    place: null,
    isRecurring: false,
    charged: null,
    outstanding: null,
    paymentId: null,
    students: [
      {
        studentId: 1,
        name: 'Maya Okafor',
        state: 'expected',
        attendance: null,
        fee: 3500,
        feeSource: 'lesson',
        charged: null,
        outstanding: null,
        paymentId: null,
      },
    ],
    ...overrides,
  };
}

export function sessionDetails(overrides: Partial<Session> = {}): Session {
  return {
    ...sessionRow(),
    duration: 60,
    notes: null,
    usesGoogleMeet: false,
    travelFee: null,
    attendance: null,
    cancelledBy: null,
    cancelReason: null,
    rescheduledToSessionId: null,
    rescheduledFromSessionId: null,
    rescheduledTo: null,
    rescheduledFrom: null,
    invoice: null,
    familyId: 3,
    previousNotes: null,
    ...overrides,
  };
}

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
  offersMeet: false,
  meetFailures: 0,
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

/** Ruth asks to move Maya's lesson from Sunday to Friday or Saturday. */
export const moveRequest = (overrides: Partial<MoveRequest> = {}): MoveRequest => ({
  id: 5,
  status: 'open',
  sessionId: 12,
  studentId: 1,
  studentName: 'Maya Okafor',
  contactName: 'Ruth Okafor',
  subjectName: 'Maths GCSE',
  date: '2026-11-15',
  startTime: '16:00',
  endTime: '17:00',
  choices: [
    {
      date: '2026-11-27',
      startTime: '17:00',
      endTime: '18:00',
      conflict: null,
      isPast: false,
    },
    {
      date: '2026-11-28',
      startTime: '12:30',
      endTime: '13:30',
      conflict: 'Sam, 12 noon to 1pm',
      isPast: false,
    },
  ],
  suggestions: [],
  message: 'Maya has a school trip.',
  askedAt: '2026-11-14T09:00:00Z',
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

/** Maya has no note about the lesson yet, and her next lesson is a week later. */
export const sessionNotes = (
  fields: Partial<SessionNotes['students'][number]> = {},
): SessionNotes => ({
  isPortalOpen: true,
  students: [
    {
      studentId: 1,
      studentName: 'Maya Okafor',
      note: null,
      previous: null,
      nextLessonOn: '2026-11-22',
      readers: ['Ruth'],
      ...fields,
    },
  ],
});
