import { families } from '@lessonbook/contract/families';
import { payments } from '@lessonbook/contract/payments';
import type { TrackedPayment, VirtualUser } from '../virtual-users/virtual-user-state.ts';
import { pickFamily, pickStudent } from './lessons.ts';

export async function recordPayment(user: VirtualUser): Promise<TrackedPayment | undefined> {
  const familyId = await pickFamily(user);
  if (familyId === undefined) return undefined;
  const note = user.newMarker('pay');
  const amount = user.random.between(100, 20_000);
  const method = user.random.pick(['cash', 'bank_transfer', 'other'] as const);
  const outcome = await user.client.write(payments.recordPayment, {
    body: {
      familyId,
      amount,
      currency: 'GBP',
      method,
      date: user.context.today,
      note,
    },
  });
  if (outcome.status !== 201) {
    user.expected.expectMarker('payment', note, 0);
    user.reportUnexplained('recording a payment', outcome);
    return undefined;
  }
  const { id } = outcome.body;
  user.expected.expectMarker('payment', note, 1);
  user.expected.expectRow('payments', id, {
    amount,
    method,
    note,
    kind: 'payment',
    refunded: 0,
    reversed: false,
  });
  user.expected.addToBalance(familyId, -amount);
  const payment: TrackedPayment = { id, familyId, amount, refunded: 0, isActive: true };
  user.payments.push(payment);
  return payment;
}

export async function refundPayment(user: VirtualUser): Promise<void> {
  const payment = user.pick(
    user.payments,
    ({ isActive, amount, refunded }) => isActive && refunded < amount,
  );
  if (!payment) return void (await recordPayment(user));
  const note = user.newMarker('refund');
  const amount = user.random.between(1, payment.amount - payment.refunded);
  const outcome = await user.client.write(payments.refundPayment, {
    params: { id: payment.id },
    body: { amount, date: user.context.today, note },
  });
  if (outcome.status !== 201) {
    user.expected.expectMarker('payment', note, 0);
    return user.reportUnexplained('refunding a payment', outcome);
  }
  payment.refunded += amount;
  user.expected.expectMarker('payment', note, 1);
  user.expected.expectRow('payments', payment.id, { refunded: payment.refunded });
  user.expected.addToBalance(payment.familyId, amount);
}

export async function reversePayment(user: VirtualUser): Promise<void> {
  const payment = user.pick(user.payments, ({ isActive, refunded }) => isActive && refunded === 0);
  if (!payment) return void (await recordPayment(user));
  const outcome = await user.client.write(payments.reversePayment, { params: { id: payment.id } });
  if (outcome.status !== 200) return user.reportUnexplained('reversing a payment', outcome);
  payment.isActive = false;
  user.expected.expectRow('payments', payment.id, { reversed: true });
  user.expected.addToBalance(payment.familyId, payment.amount);
}

export async function setOpeningBalance(user: VirtualUser): Promise<void> {
  const student = user.pick(
    user.students,
    ({ hasOpeningBalance, isPermanent }) => isPermanent && !hasOpeningBalance,
  );
  if (!student) return void (await pickStudent(user));
  const amount = user.random.between(100, 9_000) * (user.random.chance(0.7) ? 1 : -1);
  const outcome = await user.client.write(families.setOpeningBalance, {
    params: { id: student.familyId },
    body: { amount, currency: 'GBP', date: user.context.today },
  });
  student.hasOpeningBalance = true;
  if (outcome.status !== 201) return user.reportUnexplained('setting an opening balance', outcome);
  user.expected.addToBalance(student.familyId, amount);
}
