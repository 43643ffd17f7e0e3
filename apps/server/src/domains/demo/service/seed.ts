import { plusDays, startOfWeek } from '@lessonbook/contract/dates';
import { LessonInput } from '@lessonbook/contract/lessons';
import { PaymentInput } from '@lessonbook/contract/payments';
import { periodRange } from '@lessonbook/contract/periods';
import { CompleteManyInput } from '@lessonbook/contract/sessions';
import { addDays, dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { readTimeZone } from '../../accounts/service/profile/profile.ts';
import { updateBusiness } from '../../invoices/service/business.ts';
import { createDraft } from '../../invoices/service/invoice-drafts.ts';
import { issueInvoices } from '../../invoices/service/issue.ts';
import { completeSessions } from '../../lessons/service/complete.ts';
import { createLesson } from '../../lessons/service/create-lesson.ts';
import { listDueSessions } from '../../lessons/service/read.ts';
import { listFamilies } from '../../payments/service/families.ts';
import { recordPayment } from '../../payments/service/record-payment.ts';
import { addStudent } from '../../students/service/students.ts';
import { addSubject } from '../../subjects/service.ts';
import {
  BUSINESS,
  INVOICED_PAYER,
  PAYMENT_HABITS,
  SESSIONS_LEFT_DUE,
  STUDENTS,
  SUBJECTS,
  WEEKLY_LESSONS,
  WEEKS_OF_HISTORY,
} from '../rules/seed-data.ts';

/** Lively data around today: weeks that were taught and paid, some still to come, a little left to tick off. */
export async function seedTutor(present: Context, tutorId: string): Promise<void> {
  const then = addDays(present.clock.now(), -7 * WEEKS_OF_HISTORY);
  // Written down some weeks ago, so that there is something to have taught and paid since.
  const past: Context = { ...present, clock: { now: () => then } };
  const subjects = new Map<string, { id: number; fee: number }>();
  for (const subject of SUBJECTS) {
    const { id } = await addSubject(past, tutorId, { ...subject, currency: 'GBP' }, null);
    subjects.set(subject.name, { id, fee: subject.defaultFee });
  }
  const students = new Map<string, { id: number; carerId: number | null }>();
  for (const { sharesCarerWith, ...student } of STUDENTS as ((typeof STUDENTS)[number] & {
    sharesCarerWith?: string;
  })[]) {
    const carerId = sharesCarerWith ? students.get(sharesCarerWith)?.carerId : undefined;
    const made = await addStudent(
      past,
      tutorId,
      { ...student, ...(carerId ? { carerId } : {}) },
      null,
    );
    students.set(student.name, made);
  }
  const monday = startOfWeek(dateInZone(await readTimeZone(present, tutorId), then));
  for (const { student, subject, day, start, end } of WEEKLY_LESSONS) {
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
  await updateBusiness(past, tutorId, BUSINESS);
  for (let week = 1; week < WEEKS_OF_HISTORY; week += 1) {
    const sunday = addDays(then, 7 * week);
    await simulateWeek({ ...present, clock: { now: () => sunday } }, tutorId, week);
  }
  await invoiceLastMonth(present, tutorId);
  const due = await listDueSessions(present, tutorId);
  await completeDueSessions(present, tutorId, due.length - SESSIONS_LEFT_DUE);
  // Those who pay week by week have paid for this one too.
  await receivePayments(present, tutorId, ({ every }) => every === 1);
}

async function completeDueSessions(at: Context, tutorId: string, howMany: number): Promise<void> {
  const due = await listDueSessions(at, tutorId);
  const taught = due.slice(0, Math.max(0, howMany)).map(({ id }) => ({ id }));
  if (taught.length === 0) return;
  await completeSessions(at, tutorId, CompleteManyInput.parse({ sessions: taught }));
}

async function simulateWeek(at: Context, tutorId: string, week: number): Promise<void> {
  await completeDueSessions(at, tutorId, Number.POSITIVE_INFINITY);
  await receivePayments(at, tutorId, ({ every }) => week % every === 0);
}

async function receivePayments(
  at: Context,
  tutorId: string,
  isDue: (habit: (typeof PAYMENT_HABITS)[number]) => boolean,
): Promise<void> {
  const families = await listFamilies(at, tutorId);
  const today = dateInZone(await readTimeZone(at, tutorId), at.clock.now());
  for (const { payer, method, pays } of PAYMENT_HABITS.filter(isDue)) {
    const family = families.find((each) => each.name === payer);
    const owed = family?.balances.find((balance) => balance.currency === 'GBP')?.owed ?? 0;
    if (!family || pays(owed) <= 0) continue;
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
  const familyId = families.find((each) => each.name === INVOICED_PAYER)?.id;
  const today = dateInZone(await readTimeZone(at, tutorId), at.clock.now());
  const { from, to } = periodRange('last_month', today);
  if (familyId === undefined || from === null || to === null) return;
  const draft = { familyId, from, to, includeComing: false };
  await issueInvoices(at, tutorId, await createDraft(at, tutorId, draft, null), null);
}
