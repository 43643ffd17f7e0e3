import { cards } from '@lessonbook/contract/card-payments';
import { families } from '@lessonbook/contract/families';
import { payments } from '@lessonbook/contract/payments';
import { students } from '@lessonbook/contract/students';
import type { VirtualUser } from '../virtual-users/virtual-user-state.ts';
import { recordPayment } from './payments.ts';

const PAYMENT_METHODS = [
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
  const marker = user.newMarker('card');
  const created = await user.client.write(students.createStudent, {
    body: { name: marker, notes: marker },
  });
  if (created.status !== 201) return user.reportUnexplained('creating a student', created);
  user.expected.expectMarker('student', marker, 1);
  const id = created.body.familyId ?? 0;
  const balanceResponse = await user.client.write(families.setOpeningBalance, {
    params: { id },
    body: { amount: user.random.between(100, 20_000), currency: 'GBP', date: user.context.today },
  });
  if (balanceResponse.status !== 201)
    return user.reportUnexplained('setting an opening balance', balanceResponse);
  const { body: family } = await user.client.read(families.family, { params: { id }, query: {} });
  const checkout = await user.client.write(cards.payByCard, {
    params: { token: family.payToken },
    body: { currency: 'GBP' },
  });
  // An attempt whose response was lost blocks a new checkout for a minute, to avoid a double payment.
  if (checkout.status === 409 && checkout.outcomeUnknown) return;
  const sessionId = /\/c\/pay\/(\w+)/.exec(checkout.body.url ?? '')?.[1];
  if (checkout.status !== 200 || !sessionId)
    return user.reportUnexplained('opening a checkout', checkout);
  const { outcome } = await cardAccount.control.payOnCheckoutPage(
    sessionId,
    user.random.pick(PAYMENT_METHODS),
  );
  if (outcome === 'paid') user.cardPayments.push({ familyId: id, sessionId, refunded: 0 });
}

/** Refunds a card payment, but only once our server has recorded it. */
export async function refundCardPayment(user: VirtualUser): Promise<void> {
  const { cardAccount } = user.context;
  const payment = user.pick(user.cardPayments, ({ refunded }) => refunded === 0);
  if (!cardAccount || !payment) return payByCard(user);
  const params = { id: payment.familyId };
  const { body: family } = await user.client.read(families.family, { params, query: {} });
  const entry = family.entries.find(({ kind, method }) => kind === 'payment' && method === 'card');
  if (!entry?.paymentId) return;
  const amount = user.random.between(1, -entry.amount);
  const outcome = await user.client.write(payments.refundPayment, {
    params: { id: entry.paymentId },
    body: { amount, date: user.context.today },
  });
  if (outcome.status !== 201) return user.reportUnexplained('refunding a card payment', outcome);
  payment.refunded = amount;
}
