import { cards } from '@lessonbook/contract/cards';
import { families } from '@lessonbook/contract/families';
import { payments } from '@lessonbook/contract/payments';
import { students } from '@lessonbook/contract/students';
import type { VirtualUser } from '../virtual-users/virtual-user.ts';
import { recordPayment } from './payments.ts';

const PAYMENT_MEANS = [
  '4242424242424242',
  '4242424242424242',
  '4242424242424242',
  '4000000000000002',
  'bank-debit-succeeds',
];

/** A family with an opening balance pays on Stripe's checkout page. */
export async function payByCard(user: VirtualUser): Promise<void> {
  const { cardAccount } = user.context;
  if (!cardAccount) return void (await recordPayment(user));
  const mark = user.newMark('card');
  const added = await user.client.write(students.createStudent, {
    body: { name: mark, notes: mark },
  });
  if (added.status !== 201) return user.reportUnexplained('creating a student', added);
  user.expected.expectMark('student', mark, 'once');
  const id = added.body.familyId ?? 0;
  const owed = await user.client.write(families.setOpeningBalance, {
    params: { id },
    body: { amount: user.random.between(100, 20_000), currency: 'GBP', date: user.context.today },
  });
  if (owed.status !== 201) return user.reportUnexplained('setting an opening balance', owed);
  const { body: family } = await user.client.read(families.family, { params: { id }, query: {} });
  const opened = await user.client.write(cards.payByCard, {
    params: { token: family.payToken },
    body: { currency: 'GBP' },
  });
  // An attempt whose response was lost blocks a new checkout for a minute, to avoid a double payment.
  if (opened.status === 409 && opened.unsure) return;
  const sessionId = /\/c\/pay\/(\w+)/.exec(opened.body.url ?? '')?.[1];
  if (opened.status !== 200 || !sessionId)
    return user.reportUnexplained('opening a checkout', opened);
  const { outcome } = await cardAccount.control.payAsBrowser(
    sessionId,
    user.random.pick(PAYMENT_MEANS),
  );
  if (outcome === 'paid') user.cardPayments.push({ familyId: id, sessionId, refunded: 0 });
}

/** Refunds a payment, but only after it has been recorded on our side. */
export async function refundByCard(user: VirtualUser): Promise<void> {
  const { cardAccount } = user.context;
  const paid = user.pick(user.cardPayments, ({ refunded }) => refunded === 0);
  if (!cardAccount || !paid) return payByCard(user);
  const params = { id: paid.familyId };
  const { body: family } = await user.client.read(families.family, { params, query: {} });
  const entry = family.entries.find(({ kind, method }) => kind === 'payment' && method === 'card');
  if (!entry?.paymentId) return;
  const amount = user.random.between(1, -entry.amount);
  const outcome = await user.client.write(payments.refundPayment, {
    params: { id: entry.paymentId },
    body: { amount, date: user.context.today },
  });
  if (outcome.status !== 201) return user.reportUnexplained('refunding a card payment', outcome);
  paid.refunded = amount;
}
