import type { ChargeQueryAnswer } from '@lessonbook/contract/questions-about-charges';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { chargeQueryAnswered } from '../../payments/events.ts';
import {
  closeQuery,
  getChargeQuery,
  toEventData,
} from '../../payments/service/questions-about-charges.ts';
import { creditCharges } from './void-and-credit.ts';

/** Keeps the charge as it is, or credits its unpaid part. The answer is emailed to the person who asked. */
export async function answerChargeQuery(
  context: Context,
  tutorId: string,
  id: number,
  { isOwed, answer }: ChargeQueryAnswer,
  idempotencyKey: IdempotencyKey | null,
): Promise<void> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      const query = await getChargeQuery(tx, tutorId, id);
      if (query.status !== 'open')
        throw new AppError('conflict', 'This question has been withdrawn or answered.');
      await closeQuery(tx, tutorId, id, {
        status: 'answered',
        at: now,
        isOwed,
        answer: answer || null,
      });
      const { chargeId } = query;
      // A credit reduces what was written off first.
      const amount = query.outstanding + query.writtenOff;
      if (!isOwed && amount > 0)
        await creditCharges(context, tx, tutorId, [{ chargeId, amount }], 'Charge queried');
      const facts = toEventData(query);
      await context.events.publish(tx, chargeQueryAnswered, {
        tutorId,
        ...facts,
        isOwed,
        answer: answer || null,
      });
      return {};
    }),
  );
}
