import type { ChargeQueryInput } from '@lessonbook/contract/questions-about-charges';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { Contact } from '../../../platform/http/authentication.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import {
  addChargeQuery,
  chargeQueryNotFound,
  closeQuery,
  getChargeQuery,
} from '../../payments/service/questions-about-charges.ts';
import { authoriseAccount } from './portal-money.ts';
import { chargeQueriesByContact } from './rate-limits.ts';

/** Access is checked with the contact's database privileges, in the transaction that saves the question. */
export async function queryCharge(
  context: Context,
  contact: Contact,
  accountId: number,
  { chargeId, message }: ChargeQueryInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<{ id: number }> {
  const { tutorId, contactId } = contact;
  const now = context.clock.now();
  await context.limiter.consume(chargeQueriesByContact, `${tutorId} ${contactId}`);
  return context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      await authoriseAccount(tx, contact, accountId);
      const query = { familyId: accountId, chargeId, contactId, message };
      const id = await addChargeQuery(context, tx, tutorId, query);
      await recordAudit(tx, tutorId, {
        action: 'charge_queried_by_family',
        at: now,
        metadata: { contactId },
        omitRequestContext: true,
      });
      return { id };
    }),
  );
}

/** Withdrawing twice changes nothing. Only the person who asked may withdraw. */
export async function withdrawChargeQuery(
  context: Context,
  contact: Contact,
  accountId: number,
  id: number,
): Promise<void> {
  const { tutorId, contactId } = contact;
  await context.db.tutorTransaction(tutorId, async (tx) => {
    await authoriseAccount(tx, contact, accountId);
    const query = await getChargeQuery(tx, tutorId, id);
    if (query.contactId !== contactId || query.familyId !== accountId) throw chargeQueryNotFound();
    if (query.status === 'withdrawn') return;
    if (query.status === 'answered')
      throw new AppError('conflict', 'Your tutor has already answered. Please check your account.');
    await closeQuery(tx, tutorId, id, { status: 'withdrawn', at: context.clock.now() });
  });
}
