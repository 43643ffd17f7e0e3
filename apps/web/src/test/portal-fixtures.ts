import type { FreeTimes } from '@lessonbook/contract/move-requests';
import type {
  PortalBrowser,
  PortalCancellationCost,
  PortalLesson,
  PortalLessons,
  PortalLogin,
  PortalMoveRequest,
  PortalTutor,
} from '@lessonbook/contract/portal';
import type { PortalAgreement } from '@lessonbook/contract/portal-agreement';
import type { PortalContactDetails } from '@lessonbook/contract/portal-contact-details';

export const adaAsTutor: PortalTutor = {
  publicId: 'c_ada_1234567',
  tutorName: 'Ada Fenwick',
  studentNames: ['Maya', 'Leo'],
  seesMoney: true,
  seesNotes: true,
  hasAgreementToAccept: false,
};

export const tomAsTutor: PortalTutor = {
  publicId: 'c_tom_1234567',
  tutorName: 'Tom Bellamy',
  studentNames: ['Leo'],
  seesMoney: true,
  seesNotes: true,
  hasAgreementToAccept: false,
};

export const portalLogin = (fields: Partial<PortalLogin> = {}): PortalLogin => ({
  address: 'ruth@families.example',
  isSharedDevice: false,
  tutors: [adaAsTutor],
  ...fields,
});

/** Maya's lesson on Tuesday 17 November 2026. */
export const portalLesson = (fields: Partial<PortalLesson> = {}): PortalLesson => ({
  sessionId: 1,
  studentId: 1,
  studentName: 'Maya',
  subjectName: 'Maths',
  date: '2026-11-17',
  startTime: '16:30',
  endTime: '17:30',
  startsAt: '2026-11-17T16:30:00Z',
  endsAt: '2026-11-17T17:30:00Z',
  state: 'scheduled',
  isGroup: false,
  place: "At Ada's",
  price: { amount: 3800, currency: 'GBP' },
  cancellation: null,
  mayAskToMove: false,
  moveRequest: null,
  ...fields,
});

/** Half of a lesson of £35, with one free late cancellation left. */
export const cancellationCost = (
  fields: Partial<PortalCancellationCost> = {},
): PortalCancellationCost => ({
  fee: 1750,
  currency: 'GBP',
  freeUntil: '2026-11-16T16:00:00Z',
  increase: { at: '2026-11-18T04:00:00Z', fee: 3500 },
  termStart: '2026-09-01',
  freeCancellationsLeft: 1,
  isAllowed: true,
  ...fields,
});

/** Ruth asked for Friday or Saturday. */
export const portalMoveRequest = (fields: Partial<PortalMoveRequest> = {}): PortalMoveRequest => ({
  id: 5,
  status: 'open',
  choices: [
    { date: '2026-11-27', startTime: '17:00' },
    { date: '2026-11-28', startTime: '12:30' },
  ],
  suggestions: [],
  answer: '',
  isOwn: true,
  ...fields,
});

export const freeTimes = (fields: Partial<FreeTimes> = {}): FreeTimes => ({
  days: [
    { date: '2026-11-23', startTimes: ['09:00', '19:00'] },
    { date: '2026-11-27', startTimes: ['16:45', '17:00', '19:30'] },
    { date: '2026-11-28', startTimes: ['12:30'] },
  ],
  closest: { date: '2026-11-27', startTime: '17:00' },
  ...fields,
});

const access = {
  seesPlace: true,
  seesNotes: false,
  seesMoney: true,
  mayCancel: true,
  mayRequestMoves: true,
};

export const portalLessons = (fields: Partial<PortalLessons> = {}): PortalLessons => ({
  tutorName: 'Ada Fenwick',
  contactName: 'Ruth Okafor',
  tutorTimeZone: 'Europe/London',
  timeZone: 'Europe/London',
  students: [
    { id: 1, name: 'Maya', seesLessons: true, ...access },
    { id: 2, name: 'Leo', seesLessons: true, ...access },
  ],
  illnessNote: null,
  lessons: [
    portalLesson(),
    portalLesson({
      sessionId: 2,
      studentId: 2,
      studentName: 'Leo',
      subjectName: '11+ prep',
      date: '2026-11-18',
      startTime: '16:00',
      endTime: '17:00',
      startsAt: '2026-11-18T16:00:00Z',
      endsAt: '2026-11-18T17:00:00Z',
      place: null,
      price: null,
    }),
  ],
  hasMore: false,
  ...fields,
});

export const portalBrowsers: PortalBrowser[] = [
  {
    id: 'browser-here-1',
    device: 'Safari on iPhone',
    isCurrent: true,
    firstSeenAt: '2026-11-10T08:00:00Z',
    lastSeenAt: '2026-11-17T16:00:00Z',
  },
  {
    id: 'browser-there',
    device: 'Firefox on Windows',
    isCurrent: false,
    firstSeenAt: '2026-11-01T08:00:00Z',
    lastSeenAt: '2026-11-16T18:30:00Z',
  },
];

export const contactDetails = (
  fields: Partial<PortalContactDetails> = {},
): PortalContactDetails => ({
  tutorName: 'Ada Fenwick',
  name: 'Ruth Hale',
  relationship: 'Mother',
  isStudent: false,
  studentNames: ['Maya', 'Leo'],
  isPayer: true,
  email: 'ruth@families.example',
  phone: '+447700900118',
  reminders: [
    { kind: 'lesson_reminder', isOn: true, canChange: true },
    { kind: 'payment_reminder', isOn: true, canChange: true },
    { kind: 'whatsapp', isOn: false, canChange: true },
  ],
  reminderLead: 1440,
  ...fields,
});

type AgreementVersion = PortalAgreement['versions'][number];

export const agreementVersion = (fields: Partial<AgreementVersion> = {}): AgreementVersion => ({
  version: 1,
  text: 'Lessons are paid for monthly.',
  startsOn: '2026-09-01',
  isComing: false,
  accepted: null,
  ...fields,
});

export const portalAgreement = (...versions: AgreementVersion[]): PortalAgreement => ({
  tutorName: 'Ada Fenwick',
  versions,
});
