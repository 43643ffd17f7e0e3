import { type FamilyDetails, families } from '@lessonbook/contract/families';
import { type PaymentDetails, type PaymentInput, payments } from '@lessonbook/contract/payments';
import { sessions } from '@lessonbook/contract/sessions';
import pg from 'pg';
import { type Fault, findFaults } from '../invariants.ts';
import { newStudent } from './book.ts';
import type { Browser } from './browser.ts';
import type { House } from './house.ts';
import { addLesson, type Desk, openDesk } from './teaching.ts';

/** A carer with three children and their account, on a desk of its own. */
export async function openFamily(house: House) {
  const desk = await openDesk(house);
  const eldest = await newStudent(desk.browser, { name: 'Lena Hale', carerName: 'Ruth Hale' });
  const noah = await newStudent(desk.browser, { name: 'Noah Hale', carerId: eldest.carerId });
  const ida = await newStudent(desk.browser, { name: 'Ida Hale', carerId: eldest.carerId });
  return { desk, familyId: eldest.familyId as number, children: [eldest.id, noah.id, ida.id] };
}

/** Teaches one lesson on a day and charges for it; days differ so that nothing overlaps. */
export async function teach(
  desk: Desk,
  studentId: number,
  date: string,
  change: { fee?: number | null; currency?: 'GBP' | 'EUR' | 'USD' | 'INR' } = {},
): Promise<number> {
  const { sessionId } = await addLesson(desk, { studentId, date, acceptOverlaps: true, ...change });
  const answer = await desk.browser.call(sessions.completeSession, {
    params: { id: sessionId },
    body: {},
  });
  if (answer.status !== 200) throw new Error(answer.error.message);
  return sessionId;
}

export const pay = (
  browser: Browser,
  familyId: number,
  amount: number,
  change: Partial<PaymentInput> = {},
) =>
  browser.call(payments.recordPayment, {
    body: {
      familyId,
      amount,
      currency: 'GBP',
      method: 'bank_transfer',
      date: '2026-11-16',
      ...change,
    },
  });

export async function paid(
  browser: Browser,
  familyId: number,
  amount: number,
  change: Partial<PaymentInput> = {},
): Promise<PaymentDetails> {
  const answer = await pay(browser, familyId, amount, change);
  if (answer.status !== 201) throw new Error(answer.error.message);
  return answer.body;
}

export async function account(browser: Browser, id: number): Promise<FamilyDetails> {
  return (await browser.call(families.family, { params: { id }, query: {} })).body;
}

/** 'GBP owes 3500', 'EUR in credit 200' */
export const inShort = (family: Pick<FamilyDetails, 'balances'>): string[] =>
  family.balances.map(({ currency, owed, credit }) =>
    owed > 0 ? `${currency} owes ${owed}` : `${currency} in credit ${credit}`,
  );

/** Whatever a test did, everything that must always hold still does, over the whole database of this house. */
export async function mustBalance(house: House): Promise<void> {
  const faults = await faultsIn(house);
  if (faults.length > 0) throw new Error(`The book does not balance: ${JSON.stringify(faults)}`);
}

async function faultsIn(house: House): Promise<Fault[]> {
  const client = new pg.Client(house.urls.maintenanceUrl);
  await client.connect();
  try {
    return await findFaults(client);
  } finally {
    await client.end();
  }
}
