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
    attendance: null,
    cancelledBy: null,
    cancelReason: null,
    rescheduledToSessionId: null,
    rescheduledFromSessionId: null,
    rescheduledTo: null,
    rescheduledFrom: null,
    invoice: null,
    familyId: 3,
    ...overrides,
  };
}
