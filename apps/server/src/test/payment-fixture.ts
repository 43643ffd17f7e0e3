import { type FamilyDetails, families } from '@lessonbook/contract/families';
import { type PaymentDetails, type PaymentInput, payments } from '@lessonbook/contract/payments';
import { type PublicBill, publicBills } from '@lessonbook/contract/public-bill';
import { sessions } from '@lessonbook/contract/sessions';
import pg from 'pg';
import { findViolations, type Violation } from '../invariants.ts';
import type { Browser } from './browser-client.ts';
import { createStudent } from './create-student-and-subject.ts';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  type LessonFixture,
} from './lesson-fixture.ts';
import type { TestApp } from './test-app.ts';

/** Creates a tutor with one family: a carer with three children. */
export async function createFamilyFixture(app: TestApp) {
  const fixture = await createTutorWithStudentAndSubject(app);
  const eldest = await createStudent(fixture.browser, {
    name: 'Lena Hale',
    carerName: 'Ruth Hale',
  });
  const noah = await createStudent(fixture.browser, { name: 'Noah Hale', carerId: eldest.carerId });
  const ida = await createStudent(fixture.browser, { name: 'Ida Hale', carerId: eldest.carerId });
  return {
    fixture,
    familyId: eldest.familyId as number,
    children: [eldest.id, noah.id, ida.id],
  };
}

/** Creates a lesson on this date and completes it with a charge. */
export async function createCompletedLesson(
  fixture: LessonFixture,
  studentId: number,
  date: string,
  overrides: { fee?: number | null; currency?: 'GBP' | 'EUR' | 'USD' | 'INR' } = {},
): Promise<number> {
  const { sessionId } = await addLesson(fixture, {
    studentId,
    date,
    acceptOverlaps: true,
    ...overrides,
  });
  const response = await fixture.browser.call(sessions.completeSession, {
    params: { id: sessionId },
    body: {},
  });
  if (response.status !== 200) throw new Error(response.error.message);
  return sessionId;
}

export const postPayment = (
  browser: Browser,
  familyId: number,
  amount: number,
  overrides: Partial<PaymentInput> = {},
) =>
  browser.call(payments.recordPayment, {
    body: {
      familyId,
      amount,
      currency: 'GBP',
      method: 'bank_transfer',
      date: '2026-11-16',
      ...overrides,
    },
  });

export async function createPayment(
  browser: Browser,
  familyId: number,
  amount: number,
  overrides: Partial<PaymentInput> = {},
): Promise<PaymentDetails> {
  const response = await postPayment(browser, familyId, amount, overrides);
  if (response.status !== 201) throw new Error(response.error.message);
  return response.body;
}

export async function readFamily(browser: Browser, id: number): Promise<FamilyDetails> {
  return (await browser.call(families.family, { params: { id }, query: {} })).body;
}

/** The bill that a link leads to; throws if the invoice is void. */
export async function readOpenBill(browser: Browser, token: string): Promise<PublicBill> {
  const { body } = await browser.call(publicBills.publicBill, { params: { token } });
  if (body.state === 'void') throw new Error(`Invoice ${body.number} is void`);
  return body;
}

/** 'GBP owes 3500', 'EUR in credit 200' */
export const formatBalances = (family: Pick<FamilyDetails, 'balances'>): string[] =>
  family.balances.map(({ currency, owed, credit }) =>
    owed > 0 ? `${currency} owes ${owed}` : `${currency} in credit ${credit}`,
  );

/** Checks all invariants in the test database. */
export async function assertInvariants(app: TestApp): Promise<void> {
  const violations = await readViolations(app);
  if (violations.length > 0) throw new Error(`Invariants violated: ${JSON.stringify(violations)}`);
}

async function readViolations(app: TestApp): Promise<Violation[]> {
  const client = new pg.Client(app.urls.maintenanceUrl);
  await client.connect();
  try {
    return await findViolations(client);
  } finally {
    await client.end();
  }
}
