import type {
  StudentListItem,
  StudentOverview,
  TimelineEntry,
} from '@lessonbook/contract/student-overview-and-timeline';
import type { Contact, Student } from '@lessonbook/contract/students';

/** Maya Hale without a carer by default. */
export const student = (overrides: Partial<Student> = {}): Student => ({
  id: 1,
  name: 'Maya Hale',
  phone: null,
  email: null,
  subject: null,
  notes: null,
  school: null,
  schoolYear: null,
  termCalendarId: null,
  travelFee: null,
  status: 'active',
  leftOn: null,
  portalEndsOn: null,
  notesForStudentOnly: false,
  pause: null,
  balances: [],
  carerId: null,
  carerName: null,
  carerRelationship: null,
  carerPhone: null,
  carerEmail: null,
  familyId: null,
  contacts: [],
  payers: [],
  subjectIds: [],
  ...overrides,
});

export const studentListItem = (overrides: Partial<StudentListItem> = {}): StudentListItem => ({
  id: 1,
  name: 'Maya Hale',
  schoolYear: 'Year 10',
  subjects: ['Maths GCSE'],
  status: 'active',
  leftOn: null,
  pause: null,
  contactNames: ['Ruth Hale'],
  nextSession: {
    id: 11,
    date: '2026-11-15',
    startTime: '16:30',
    endTime: '17:30',
    subjectColor: 'pine',
  },
  debts: [],
  ...overrides,
});

export const contact = (overrides: Partial<Contact> = {}): Contact => ({
  id: 7,
  name: 'Ruth Hale',
  relationship: 'Mother',
  phone: '+447700900001',
  email: 'ruth@hale.example',
  timeZone: null,
  isMain: true,
  isStudent: false,
  access: {
    seesLessons: true,
    seesPlace: true,
    seesNotes: true,
    seesMoney: true,
    mayCancel: true,
    mayRequestMoves: true,
  },
  ...overrides,
});

export const overviewOf = (overrides: Partial<StudentOverview> = {}): StudentOverview => ({
  student: student({ school: 'Highfield School', schoolYear: 'Year 10', contacts: [contact()] }),
  since: '2025-09-02',
  completedLessons: 38,
  nextSession: null,
  debts: [],
  lastPayment: null,
  family: {
    id: 3,
    name: 'Ruth Hale',
    balances: [{ currency: 'GBP', owed: 10600, credit: 0 }],
  },
  ...overrides,
});

type LessonEntry = Extract<TimelineEntry, { kind: 'lesson' }>;

export const lessonEntry = (overrides: Partial<LessonEntry> = {}): LessonEntry => ({
  kind: 'lesson',
  groupName: null,
  id: 21,
  date: '2026-11-10',
  startTime: '16:30',
  endTime: '17:30',
  subjectName: 'Maths GCSE',
  status: 'completed',
  note: null,
  attendance: 'attended',
  cancelledBy: null,
  cancelReason: null,
  isTimeOff: false,
  movedFrom: null,
  fee: 3800,
  currency: 'GBP',
  charged: 3800,
  outstanding: 3800,
  invoice: null,
  ...overrides,
});
