import { addDaysToDate, startOfWeek } from '@lessonbook/contract/dates';
import { LessonInput } from '@lessonbook/contract/lessons';
import { PaymentInput } from '@lessonbook/contract/payments';
import { periodRange } from '@lessonbook/contract/report-periods';
import { CompleteManyInput } from '@lessonbook/contract/sessions';
import { add24HourDays, dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { readTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { updateBusiness } from '../../invoices/service/business-settings.ts';
import { createDraft } from '../../invoices/service/invoice-drafts.ts';
import { issueInvoices } from '../../invoices/service/issue.ts';
import { completeSessions } from '../../lessons/service/complete-session.ts';
import { createLesson } from '../../lessons/service/create-lesson.ts';
import { listDueSessions } from '../../lessons/service/read.ts';
import { getAllFamilies } from '../../payments/service/families.ts';
import { recordPayment } from '../../payments/service/record-and-reverse-payments.ts';
import { addStudent } from '../../students/service/students.ts';
import { addSubject } from '../../subjects/service.ts';
import {
  BUSINESS,
  INVOICED_PAYER,
  PAYMENT_HABITS,
  SESSIONS_LEFT_INCOMPLETE,
  STUDENTS,
  SUBJECTS,
  WEEKLY_LESSONS,
  WEEKS_OF_HISTORY,
} from '../rules/seed-data.ts';

/** Seeds past sessions with payments, future lessons, and a few past sessions that are not completed yet. */
export async function seedTutor(context: Context, tutorId: string): Promise<void> {
  const startedAt = add24HourDays(context.clock.now(), -7 * WEEKS_OF_HISTORY);
  // Set the clock back a few weeks, so that there are past sessions and payments.
  const pastContext: Context = { ...context, clock: { now: () => startedAt } };
  const subjects = new Map<string, { id: number; fee: number }>();
  for (const subject of SUBJECTS) {
    const { id } = await addSubject(pastContext, tutorId, { ...subject, currency: 'GBP' }, null);
    subjects.set(subject.name, { id, fee: subject.defaultFee });
  }
  const students = new Map<string, { id: number; carerId: number | null }>();
  for (const { sharesCarerWith, ...student } of STUDENTS as ((typeof STUDENTS)[number] & {
    sharesCarerWith?: string;
  })[]) {
    const carerId = sharesCarerWith ? students.get(sharesCarerWith)?.carerId : undefined;
    const added = await addStudent(
      pastContext,
      tutorId,
      { ...student, ...(carerId ? { carerId } : {}) },
      null,
    );
    students.set(student.name, added);
  }
  const monday = startOfWeek(dateInZone(await readTimeZone(context, tutorId), startedAt));
  for (const { student, subject, day, start, end } of WEEKLY_LESSONS) {
    const input = LessonInput.parse({
      studentId: students.get(student)?.id,
      subjectId: subjects.get(subject)?.id,
      title: `${student} - ${subject}`,
      date: addDaysToDate(monday, day),
      startTime: start,
      endTime: end,
      fee: subjects.get(subject)?.fee,
      isRecurring: true,
      acceptOverlaps: true,
    });
    await createLesson(pastContext, tutorId, input, null);
  }
  await updateBusiness(pastContext, tutorId, BUSINESS);
  for (let week = 1; week < WEEKS_OF_HISTORY; week += 1) {
    const simulatedNow = add24HourDays(startedAt, 7 * week);
    await simulateWeek({ ...context, clock: { now: () => simulatedNow } }, tutorId, week);
  }
  await invoiceLastMonth(context, tutorId);
  const due = await listDueSessions(context, tutorId);
  await completeDueSessions(context, tutorId, due.length - SESSIONS_LEFT_INCOMPLETE);
  // Families who pay weekly have also paid for this week.
  await recordDuePayments(
    context,
    tutorId,
    ({ weeksBetweenPayments }) => weeksBetweenPayments === 1,
  );
}

async function completeDueSessions(
  context: Context,
  tutorId: string,
  limit: number,
): Promise<void> {
  const due = await listDueSessions(context, tutorId);
  const sessions = due.slice(0, Math.max(0, limit)).map(({ id }) => ({ id }));
  if (sessions.length === 0) return;
  await completeSessions(context, tutorId, CompleteManyInput.parse({ sessions }), null);
}

async function simulateWeek(context: Context, tutorId: string, week: number): Promise<void> {
  await completeDueSessions(context, tutorId, Number.POSITIVE_INFINITY);
  await recordDuePayments(
    context,
    tutorId,
    ({ weeksBetweenPayments }) => week % weeksBetweenPayments === 0,
  );
}

async function recordDuePayments(
  context: Context,
  tutorId: string,
  isDue: (habit: (typeof PAYMENT_HABITS)[number]) => boolean,
): Promise<void> {
  const families = await context.db.tutorSnapshot(tutorId, (tx) => getAllFamilies(tx, tutorId));
  const today = dateInZone(await readTimeZone(context, tutorId), context.clock.now());
  for (const { payer, method, amountFor } of PAYMENT_HABITS.filter(isDue)) {
    const family = families.find(({ name }) => name === payer);
    const owed = family?.balances.find((balance) => balance.currency === 'GBP')?.owed ?? 0;
    if (!family || amountFor(owed) <= 0) continue;
    const payment = {
      familyId: family.id,
      amount: amountFor(owed),
      currency: 'GBP',
      method,
      date: today,
    };
    await recordPayment(context, tutorId, PaymentInput.parse(payment), null);
  }
}

async function invoiceLastMonth(context: Context, tutorId: string): Promise<void> {
  const families = await context.db.tutorSnapshot(tutorId, (tx) => getAllFamilies(tx, tutorId));
  const familyId = families.find(({ name }) => name === INVOICED_PAYER)?.id;
  const today = dateInZone(await readTimeZone(context, tutorId), context.clock.now());
  const { from, to } = periodRange('last_month', today);
  if (familyId === undefined || from === null || to === null) return;
  const draft = { familyId, from, to, includeUpcoming: false };
  await issueInvoices(context, tutorId, await createDraft(context, tutorId, draft, null), null);
}
