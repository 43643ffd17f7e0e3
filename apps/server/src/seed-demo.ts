import type { BusinessSettings } from '@lessonbook/contract/business';
import { mondayOf, plusDays } from '@lessonbook/contract/dates';
import { LessonInput } from '@lessonbook/contract/lessons';
import { type ManualMethod, PaymentInput } from '@lessonbook/contract/payments';
import { rangeOfPeriod } from '@lessonbook/contract/periods';
import { CompleteManyInput } from '@lessonbook/contract/sessions';
import { addDays, dateIn } from '@lessonbook/contract/time';
import { readConfig } from './config.ts';
import type { Context } from './context.ts';
import { findDemoTutor, makeDemoTutor } from './domains/accounts/service/demo.ts';
import { readTimeZone } from './domains/accounts/service/profile.ts';
import { changeBusiness } from './domains/invoices/service/business.ts';
import { draftInvoice } from './domains/invoices/service/drafts.ts';
import { issueInvoices } from './domains/invoices/service/issue.ts';
import { completeSessions } from './domains/lessons/service/complete.ts';
import { createLesson } from './domains/lessons/service/create-lesson.ts';
import { listDueSessions } from './domains/lessons/service/read.ts';
import { listFamilies } from './domains/payments/service/families.ts';
import { recordPayment } from './domains/payments/service/record-payment.ts';
import { addStudent } from './domains/students/service/students.ts';
import { addSubject } from './domains/subjects/service.ts';
import { startContext } from './start.ts';

/** A tutor's ordinary weeks: what is taught, to whom, when. Days count from Monday. */
const SUBJECTS = [
  { name: 'Maths GCSE', description: 'Foundation and higher', defaultFee: 38 },
  { name: 'Physics A-level', description: null, defaultFee: 42 },
  { name: 'Piano', description: 'Grades 1 to 5', defaultFee: 28 },
  { name: 'French', description: null, defaultFee: 30 },
  { name: '11+ prep', description: 'Verbal and non-verbal reasoning', defaultFee: 32 },
];

const CARERS = {
  okafor: {
    carerName: 'Ngozi Okafor',
    carerRelationship: 'Mother',
    carerPhone: '07700 900123',
    carerEmail: 'ngozi@families.example',
  },
  mehta: {
    carerName: 'Anil Mehta',
    carerRelationship: 'Father',
    carerPhone: '07700 900456',
    carerEmail: 'anil@families.example',
  },
  brennan: {
    carerName: 'Siobhan Brennan',
    carerRelationship: 'Mother',
    carerEmail: 'siobhan@families.example',
  },
};

const STUDENTS = [
  { name: 'Maya Okafor', subject: 'Maths', ...CARERS.okafor },
  { name: 'Sam Okafor', subject: 'Piano', sharesCarerWith: 'Maya Okafor' },
  { name: 'Rohan Mehta', subject: '11+', ...CARERS.mehta },
  { name: 'Isla Brennan', subject: 'Piano', ...CARERS.brennan },
  { name: 'Theo Lindqvist', subject: 'Physics', email: 'theo@students.example' },
  { name: 'Amira Haddad', subject: 'French', email: 'amira@students.example' },
  { name: 'Chloe Dubois', subject: 'Maths' },
];

const WEEK = [
  { student: 'Maya Okafor', subject: 'Maths GCSE', day: 0, start: '16:00', end: '17:00' },
  { student: 'Theo Lindqvist', subject: 'Physics A-level', day: 0, start: '17:30', end: '18:30' },
  { student: 'Isla Brennan', subject: 'Piano', day: 1, start: '16:15', end: '17:00' },
  { student: 'Rohan Mehta', subject: '11+ prep', day: 2, start: '15:45', end: '16:45' },
  { student: 'Maya Okafor', subject: 'Maths GCSE', day: 2, start: '17:00', end: '18:00' },
  { student: 'Sam Okafor', subject: 'Piano', day: 2, start: '18:15', end: '19:00' },
  { student: 'Chloe Dubois', subject: 'Maths GCSE', day: 3, start: '16:30', end: '17:15' },
  { student: 'Amira Haddad', subject: 'French', day: 4, start: '16:00', end: '16:45' },
  { student: 'Rohan Mehta', subject: '11+ prep', day: 5, start: '09:30', end: '10:30' },
  { student: 'Isla Brennan', subject: 'Piano', day: 5, start: '11:00', end: '12:00' },
  { student: 'Theo Lindqvist', subject: 'Physics A-level', day: 5, start: '13:15', end: '14:15' },
];

const WEEKS_BEFORE = 10;
const LEFT_TO_TICK_OFF = 2;

/** How families pay, told every Sunday: how many weeks pass between payments, by what, and how much of what they owe. */
const PAYING: {
  payer: string;
  every: number;
  method: ManualMethod;
  pays: (owed: number) => number;
}[] = [
  { payer: 'Ngozi Okafor', every: 2, method: 'bank_transfer', pays: (owed) => owed },
  { payer: 'Anil Mehta', every: 1, method: 'cash', pays: (owed) => owed },
  {
    payer: 'Siobhan Brennan',
    every: 4,
    method: 'bank_transfer',
    pays: (owed) => Math.round(owed / 2),
  },
  { payer: 'Theo Lindqvist', every: 3, method: 'bank_transfer', pays: (owed) => owed },
  { payer: 'Amira Haddad', every: 5, method: 'bank_transfer', pays: (owed) => owed + 6000 },
];
/** The payer who gets an invoice for the month before. */
const INVOICED = 'Siobhan Brennan';

const BUSINESS: BusinessSettings = {
  tradingName: 'Demo Tuition',
  address: '12 Orchard Lane\nBristol BS6 5QA',
  accountName: 'Demo Tutor',
  sortCode: '00-00-00',
  accountNumber: '00000000',
  dueDays: 7,
  invoicePrefix: '',
  nextInvoiceNumber: 1,
};

/** Makes the demo tutor with a book of lively data around today, once: `npm run seed:demo`. */
const { context, close } = await startContext(readConfig(), 'api');
try {
  const found = await findDemoTutor(context);
  if (!found) await fillBook(context, await makeDemoTutor(context));
  process.stdout.write(
    found ? 'The demo tutor is there.\n' : 'The demo tutor was made: demo / demo1234\n',
  );
} finally {
  await close();
}

async function fillBook(present: Context, tutorId: string): Promise<void> {
  const then = addDays(present.clock.now(), -7 * WEEKS_BEFORE);
  // Written down some weeks ago, so that there is something to have taught and paid since.
  const past: Context = { ...present, clock: { now: () => then } };
  const subjects = new Map<string, { id: number; fee: number }>();
  for (const subject of SUBJECTS) {
    const { id } = await addSubject(past, tutorId, { ...subject, currency: 'GBP' });
    subjects.set(subject.name, { id, fee: subject.defaultFee });
  }
  const students = new Map<string, { id: number; carerId: number | null }>();
  for (const { sharesCarerWith, ...student } of STUDENTS as ((typeof STUDENTS)[number] & {
    sharesCarerWith?: string;
  })[]) {
    const carerId = sharesCarerWith ? students.get(sharesCarerWith)?.carerId : undefined;
    const made = await addStudent(past, tutorId, { ...student, ...(carerId ? { carerId } : {}) });
    students.set(student.name, made);
  }
  const monday = mondayOf(dateIn(await readTimeZone(present, tutorId), then));
  for (const { student, subject, day, start, end } of WEEK) {
    const input = LessonInput.parse({
      studentId: students.get(student)?.id,
      subjectId: subjects.get(subject)?.id,
      title: `${student} - ${subject}`,
      date: plusDays(monday, day),
      startTime: start,
      endTime: end,
      fee: subjects.get(subject)?.fee,
      isRecurring: true,
      acceptOverlaps: true,
    });
    await createLesson(past, tutorId, input, null);
  }
  await changeBusiness(past, tutorId, BUSINESS);
  for (let week = 1; week < WEEKS_BEFORE; week += 1) {
    const sunday = addDays(then, 7 * week);
    await liveThroughWeek({ ...present, clock: { now: () => sunday } }, tutorId, week);
  }
  await invoiceLastMonth(present, tutorId);
  const due = await listDueSessions(present, tutorId);
  await tickOff(present, tutorId, due.length - LEFT_TO_TICK_OFF);
}

async function tickOff(at: Context, tutorId: string, howMany: number): Promise<void> {
  const due = await listDueSessions(at, tutorId);
  const taught = due.slice(0, Math.max(0, howMany)).map(({ id }) => ({ id }));
  if (taught.length === 0) return;
  await completeSessions(at, tutorId, CompleteManyInput.parse({ sessions: taught }));
}

async function liveThroughWeek(at: Context, tutorId: string, week: number): Promise<void> {
  await tickOff(at, tutorId, Number.POSITIVE_INFINITY);
  const families = await listFamilies(at, tutorId);
  const today = dateIn(await readTimeZone(at, tutorId), at.clock.now());
  for (const { payer, every, method, pays } of PAYING) {
    const family = families.find((each) => each.name === payer);
    const owed = family?.balances.find((balance) => balance.currency === 'GBP')?.owed ?? 0;
    if (!family || week % every !== 0 || pays(owed) <= 0) continue;
    const payment = {
      familyId: family.id,
      amount: pays(owed),
      currency: 'GBP',
      method,
      date: today,
    };
    await recordPayment(at, tutorId, PaymentInput.parse(payment), null);
  }
}

async function invoiceLastMonth(at: Context, tutorId: string): Promise<void> {
  const families = await listFamilies(at, tutorId);
  const familyId = families.find((each) => each.name === INVOICED)?.id;
  const today = dateIn(await readTimeZone(at, tutorId), at.clock.now());
  const { from, to } = rangeOfPeriod('last_month', today);
  if (familyId === undefined || from === null || to === null) return;
  const draft = { familyId, from, to, includeComing: false };
  await issueInvoices(at, tutorId, await draftInvoice(at, tutorId, draft, null), null);
}
