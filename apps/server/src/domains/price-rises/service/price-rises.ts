import { dayNumber } from '@lessonbook/contract/dates';
import { firstName } from '@lessonbook/contract/first-name';
import { formatMoney } from '@lessonbook/contract/money';
import type {
  PriceRiseInput,
  PriceRisePreview,
  RaisedPrice,
  SavePriceRiseInput,
} from '@lessonbook/contract/price-rises';
import { RATE_UNIT_LABELS } from '@lessonbook/contract/rates';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import { sha256 } from '../../../platform/crypto/tokens.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { writeRates } from '../../lessons/service/rates.ts';
import {
  openScheduleTx,
  runScheduleTransaction,
  type ScheduleTx,
} from '../../lessons/service/schedule-transaction.ts';
import { createDrafts, getDraftRecipients } from '../../messages/service/outbound/drafts.ts';
import {
  currentRates,
  payersOn,
  plannedSeats,
  toPlannedSeats,
} from '../queries/planned-seats-and-rates.ts';
import { type PriceRisePlan, planPriceRise } from '../rules/plan-price-rise.ts';

export async function previewPriceRise(
  context: Context,
  tutorId: string,
  input: PriceRiseInput,
): Promise<PriceRisePreview> {
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const schedule = await openScheduleTx(context, tx, tutorId);
    return (await prepareRise(schedule, input)).preview;
  });
}

/** Saves exactly what the preview showed. Throws if that has changed. */
export async function savePriceRise(
  context: Context,
  tutorId: string,
  { fingerprint, ...input }: SavePriceRiseInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<{ rates: number; changedSeats: number; messages: number }> {
  return runScheduleTransaction(context, tutorId, (schedule) =>
    withIdempotency(schedule.tx, tutorId, idempotencyKey, schedule.now, async () => {
      const { preview, plan } = await prepareRise(schedule, input);
      if (preview.fingerprint !== fingerprint)
        throw new AppError(
          'conflict',
          'Your lessons or prices have changed since the preview, so nothing was saved. Press “Show new prices” to check them again.',
        );
      if (plan.prices.length === 0)
        throw new AppError(
          'conflict',
          'No prices would change. Please change the amount, the rounding or the date.',
        );
      const changedSeats = await writeRates(
        schedule,
        plan.prices.map(({ studentId, subjectId, newAmount, currency, unit }) => ({
          studentId,
          subjectId,
          currency,
          unit,
          amount: newAmount,
          validFrom: input.from,
        })),
      );
      const drafts = preview.families.flatMap(({ problem, address, ...family }) =>
        problem === null && address ? [{ ...family, address }] : [],
      );
      const messages = await createDrafts(context, schedule.tx, tutorId, drafts);
      const metadata = { prices: plan.prices.length, from: input.from };
      await recordAudit(schedule.tx, tutorId, {
        action: 'prices_raised',
        at: schedule.now,
        metadata,
      });
      return { rates: plan.prices.length, changedSeats, messages };
    }),
  );
}

async function prepareRise(
  schedule: ScheduleTx,
  input: PriceRiseInput,
): Promise<{ preview: PriceRisePreview; plan: PriceRisePlan }> {
  const { context, tx, tutorId, today } = schedule;
  const noticeDays = dayNumber(input.from) - dayNumber(today);
  if (noticeDays < 0) {
    const message = 'Please choose today or a later date';
    throw new AppError('invalid', message, { fields: { from: message } });
  }
  const [seats, rates, payers] = await executeBatch(tx, [
    plannedSeats(tx, tutorId, input.from),
    currentRates(tx, tutorId, input.from),
    payersOn(tx, tutorId, input.from),
  ]);
  const plan = planPriceRise(seats.flatMap(toPlannedSeats), rates, input);
  const pricesByStudent = Map.groupBy(plan.prices, ({ studentId }) => studentId);
  const pricesByFamily = new Map(
    [...Map.groupBy(payers, ({ familyId }) => familyId)].flatMap(([familyId, children]) => {
      const prices = children.flatMap(({ studentId }) => pricesByStudent.get(studentId) ?? []);
      return prices.length > 0 ? [[familyId, prices] as const] : [];
    }),
  );
  const { recipients, formatDate, tutor } = await getDraftRecipients(context, tx, tutorId, [
    ...pricesByFamily.keys(),
  ]);
  const families = recipients.map(({ familyId, studentId: readerId, ...recipient }) => {
    const prices = pricesByFamily.get(familyId) ?? [];
    const name = firstName(recipient.toName);
    const texts = { name, readerId, day: formatDate(input.from), tutor };
    return { familyId, ...recipient, prices, ...renderRise(texts, prices) };
  });
  const { prices, seats: changedSeats, kept } = plan;
  // The addresses are left out: an outdated address does not change what is saved.
  const content = [input, prices, changedSeats, kept, [...pricesByFamily.keys()]];
  const fingerprint = sha256(JSON.stringify(content)).toString('base64url');
  return { preview: { fingerprint, noticeDays, families, kept }, plan };
}

/** Names only the children that this family pays for. A student who pays for themselves is not named. */
function renderRise(
  to: { name: string; readerId: number | null; day: string; tutor: string },
  prices: readonly RaisedPrice[],
): { subject: string; text: string } {
  const { name, readerId, day, tutor } = to;
  const lines = prices.map((price) => {
    const [old, next] = [price.oldAmount, price.newAmount].map((each) =>
      formatMoney(each, price.currency, 'en-GB'),
    );
    const student = price.studentId === readerId ? '' : `${firstName(price.studentName)}, `;
    return `${student}${price.subjectName}: ${next} ${RATE_UNIT_LABELS[price.unit]} (currently ${old})`;
  });
  return {
    subject: `New lesson prices from ${day}`,
    text: [
      `Hi ${name},`,
      `My prices will change from ${day}:`,
      lines.join('\n'),
      "Lessons before that date, and any I've already invoiced, stay at the current price. Please let me know if you have any questions.",
      tutor,
    ].join('\n\n'),
  };
}
