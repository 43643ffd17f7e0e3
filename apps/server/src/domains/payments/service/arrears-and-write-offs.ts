import type { Arrears, WriteOffInput } from '@lessonbook/contract/arrears';
import type { Currency } from '@lessonbook/contract/money';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { toTutorOrThrow, tutorQuery } from '../../accounts/service/profile/read-tutor.ts';
import { type Charge, findCharges } from '../queries/charges.ts';
import { familyById } from '../queries/family-accounts.ts';
import {
  paymentReminderDates,
  unpaidCharges,
  writtenOffCharges,
} from '../queries/unpaid-and-written-off-charges.ts';
import { countReminders, isInArrears } from '../rules/arrears.ts';
import { formatEntryLabel } from '../rules/entry-label.ts';
import { familyNotFound } from './assert-family-or-payment-exists.ts';
import { changeWriteOffs } from './charges.ts';
import { plansForFamilies, toInstalmentPlan } from './instalment-plans.ts';

export async function readArrears(
  context: Context,
  tutorId: string,
  familyId: number,
): Promise<Arrears> {
  const now = context.clock.now();
  const [tutors, [family], unpaid, writtenOff, plans, reminders] = await context.db.tutorRead(
    tutorId,
    (tx) => [
      tutorQuery(tx, tutorId),
      familyById(tx, tutorId, familyId),
      unpaidCharges(tx, tutorId, familyId, now),
      writtenOffCharges(tx, tutorId, familyId),
      plansForFamilies(tx, tutorId, [familyId]),
      paymentReminderDates(tx, tutorId, familyId),
    ],
  );
  if (!family) throw familyNotFound();
  const overdueSince =
    unpaid
      .flatMap(({ isOverdue, dueOn }) => (isOverdue && dueOn !== null ? dueOn : []))
      .toSorted()[0] ?? null;
  const reminderCount = countReminders(
    reminders.map(({ date }) => date),
    overdueSince,
  );
  const today = dateInZone(toTutorOrThrow(tutors).timeZone, now);
  return {
    overdueSince,
    reminderCount,
    isInArrears: isInArrears(overdueSince, reminderCount, today),
    charges: unpaid.map(({ dueOn: _dueOn, ...charge }) => toCharge(charge)),
    writtenOff: writtenOff.map(toCharge),
    plans: plans.flatMap((plan) => toInstalmentPlan(plan) ?? []),
  };
}

const toCharge = <
  T extends {
    kind: string;
    description: string | null;
    subjectName: string | null;
    currency: string;
  },
>({
  kind,
  subjectName,
  ...row
}: T) => ({
  ...row,
  description: formatEntryLabel({ kind, subjectName, description: row.description }),
  currency: row.currency as Currency,
});

/** Writes off the unpaid part of the charges. Refused if that amount is no longer the one the tutor was shown. */
export async function writeOff(
  context: Context,
  tutorId: string,
  familyId: number,
  { chargeIds, currency, amount, reason }: WriteOffInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<void> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      const charges = await getFamilyCharges(tx, tutorId, familyId, chargeIds);
      const total = charges.reduce((sum, { outstanding }) => sum + outstanding, 0);
      if (total !== amount || charges.some((charge) => charge.currency !== currency))
        throw new AppError(
          'conflict',
          'The amount owed has changed. Please check it and try again.',
        );
      const requests = charges.map((charge) => ({ charge, amount: charge.outstanding }));
      await changeWriteOffs(context, tx, tutorId, requests, reason || null);
      const metadata = { familyId, amount, currency };
      await recordAudit(tx, tutorId, { action: 'charges_written_off', at: now, metadata });
      return {};
    }),
  );
}

/** Reverses a write-off, so that the charges are owed again. */
export async function reverseWriteOff(
  context: Context,
  tutorId: string,
  familyId: number,
  chargeIds: readonly number[],
  idempotencyKey: IdempotencyKey | null,
): Promise<void> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      const charges = await getFamilyCharges(tx, tutorId, familyId, chargeIds);
      if (charges.some(({ writtenOff }) => writtenOff === 0))
        throw new AppError('conflict', 'This write-off has already been reversed.');
      const requests = charges.map((charge) => ({ charge, amount: -charge.writtenOff }));
      await changeWriteOffs(context, tx, tutorId, requests, null);
      for (const [currency, group] of Map.groupBy(charges, (charge) => charge.currency)) {
        const amount = group.reduce((sum, { writtenOff }) => sum + writtenOff, 0);
        const metadata = { familyId, amount, currency };
        await recordAudit(tx, tutorId, { action: 'write_off_reversed', at: now, metadata });
      }
      return {};
    }),
  );
}

/** Kinds of row in the charges table that reduce another charge. */
const REDUCTIONS: ReadonlySet<string> = new Set(['reversal', 'credit_note', 'write_off']);

async function getFamilyCharges(
  tx: Tx,
  tutorId: string,
  familyId: number,
  chargeIds: readonly number[],
): Promise<Charge[]> {
  const ids = [...new Set(chargeIds)];
  const charges = await findCharges(tx, tutorId, ids);
  const isNotAllowed = ({ familyId: id, kind }: Charge) => id !== familyId || REDUCTIONS.has(kind);
  if (charges.length !== ids.length || charges.some(isNotAllowed))
    throw new AppError('not_found', "That charge isn't on this account.");
  return charges;
}
