import { cards } from '@lessonbook/contract/cards';
import { families } from '@lessonbook/contract/families';
import { payments } from '@lessonbook/contract/payments';
import { students } from '@lessonbook/contract/students';
import type { Seat } from '../clients/seat.ts';
import { pay } from './money.ts';

const MEANS = [
  '4242424242424242',
  '4242424242424242',
  '4242424242424242',
  '4000000000000002',
  'bank-debit-succeeds',
];

/** A family that owes something pays on the provider's page. */
export async function payByCard(seat: Seat): Promise<void> {
  const { till } = seat.room;
  if (!till) return void (await pay(seat));
  const mark = seat.newMark('card');
  const added = await seat.client.write(students.createStudent, {
    body: { name: mark, notes: mark },
  });
  if (added.status !== 201) return seat.unexplained('a new student', added);
  seat.journal.mark('student', mark, 'once');
  const id = added.body.familyId ?? 0;
  const owed = await seat.client.write(families.setOpeningBalance, {
    params: { id },
    body: { amount: seat.random.between(100, 20_000), currency: 'GBP', date: seat.room.today },
  });
  if (owed.status !== 201) return seat.unexplained('an opening balance', owed);
  const { body: family } = await seat.client.read(families.family, { params: { id }, query: {} });
  const opened = await seat.client.write(cards.payByCard, {
    params: { token: family.payToken },
    body: { currency: 'GBP' },
  });
  // An attempt whose answer got lost holds the page for a minute, lest somebody pays twice.
  if (opened.status === 409 && opened.unsure) return;
  const sessionId = /\/c\/pay\/(\w+)/.exec(opened.body.url ?? '')?.[1];
  if (opened.status !== 200 || !sessionId) return seat.unexplained('a card page', opened);
  const { outcome } = await till.control.payAsBrowser(sessionId, seat.random.pick(MEANS));
  if (outcome === 'paid') seat.paidByCard.push({ familyId: id, sessionId, refunded: 0 });
}

/** As soon as the book knows of the payment. */
export async function refundByCard(seat: Seat): Promise<void> {
  const { till } = seat.room;
  const paid = seat.pick(seat.paidByCard, ({ refunded }) => refunded === 0);
  if (!till || !paid) return payByCard(seat);
  const params = { id: paid.familyId };
  const { body: family } = await seat.client.read(families.family, { params, query: {} });
  const entry = family.entries.find(({ kind, method }) => kind === 'payment' && method === 'card');
  if (!entry?.paymentId) return;
  const amount = seat.random.between(1, -entry.amount);
  const outcome = await seat.client.write(payments.refundPayment, {
    params: { id: entry.paymentId },
    body: { amount, date: seat.room.today },
  });
  if (outcome.status !== 201) return seat.unexplained('a refund by card', outcome);
  paid.refunded = amount;
}
