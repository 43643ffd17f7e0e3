import { firstName } from '@lessonbook/contract/first-name';
import type { Currency } from '@lessonbook/contract/money';
import type { ChargeQuery } from '@lessonbook/contract/questions-about-charges';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { amountOwedReduced, chargeQueried } from '../events.ts';
import { openFamilyCharges } from '../queries/charge-views.ts';
import { familyById } from '../queries/family-accounts.ts';
import {
  type ChargeQueryRow,
  closeChargeQuery,
  findChargeQuery,
  insertChargeQuery,
  openQueriesOfFamily,
} from '../queries/questions-about-charges.ts';
import { formatEntryLabel } from '../rules/entry-label.ts';
import { familyNotFound } from './assert-family-or-payment-exists.ts';

export {
  type ChargeQueryRow,
  recentQueriesOfFamilies,
} from '../queries/questions-about-charges.ts';

export const chargeQueryNotFound = (): AppError =>
  new AppError('not_found', "We couldn't find that question.");

/** The unanswered questions about a family's charges. */
export async function listChargeQueries(
  context: Context,
  tutorId: string,
  familyId: number,
): Promise<ChargeQuery[]> {
  const [[family], rows] = await context.db.tutorRead(tutorId, (tx) => [
    familyById(tx, tutorId, familyId),
    openQueriesOfFamily(tx, tutorId, familyId),
  ]);
  if (!family) throw familyNotFound();
  return rows.map((row) => ({
    id: row.id,
    contactName: row.contactName,
    studentName: row.studentName,
    description: formatEntryLabel(row),
    date: row.date,
    currency: row.currency as Currency,
    outstanding: row.outstanding,
    invoiceNumber: row.invoiceNumber,
    message: row.message,
    askedAt: row.askedAt.toISOString(),
  }));
}

/** Adds a question about an unpaid charge of this account. The caller holds the tutor's lock and has checked access. */
export async function addChargeQuery(
  context: Context,
  tx: Tx,
  tutorId: string,
  query: { familyId: number; chargeId: number; contactId: number; message: string },
): Promise<number> {
  const { familyId, chargeId } = query;
  const charges = await openFamilyCharges(tx, tutorId, [familyId]).execute();
  const charge = charges.find(({ id }) => id === chargeId);
  if (!charge)
    throw new AppError('conflict', 'This has been paid or removed. Please check your account.');
  if (charge.holdReason === 'query')
    throw new AppError('conflict', 'There is already a question about this charge.');
  if (charge.outstanding === charge.onHold)
    throw new AppError('conflict', "You don't need to pay this at the moment.");
  const id = await insertChargeQuery(tx, tutorId, { ...query, at: context.clock.now() });
  const row = await getChargeQuery(tx, tutorId, id);
  await context.events.publish(tx, chargeQueried, { tutorId, ...toEventData(row) });
  // An open checkout may be for more than the payer is now asked to pay.
  await context.events.publish(tx, amountOwedReduced, { tutorId, familyIds: [familyId] });
  return id;
}

export async function getChargeQuery(tx: Tx, tutorId: string, id: number): Promise<ChargeQueryRow> {
  const row = await findChargeQuery(tx, tutorId, id);
  if (!row) throw chargeQueryNotFound();
  return row;
}

export const closeQuery = closeChargeQuery;

/** The data in the events about a question. */
export const toEventData = (row: ChargeQueryRow) => ({
  queryId: row.id,
  familyId: row.familyId,
  contactId: row.contactId,
  contactName: firstName(row.contactName),
  studentName: row.studentName && firstName(row.studentName),
  description: formatEntryLabel(row),
  date: row.date,
});
