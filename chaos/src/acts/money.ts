import { families } from '@lessonbook/contract/families';
import { payments } from '@lessonbook/contract/payments';
import type { Money, Seat } from '../clients/seat.ts';
import { somePupil } from './lessons.ts';

export async function pay(seat: Seat): Promise<Money | undefined> {
  const pupil = await somePupil(seat);
  if (!pupil) return undefined;
  const note = seat.newMark('pay');
  const amount = seat.random.between(100, 20_000);
  const method = seat.random.pick(['cash', 'bank_transfer', 'other'] as const);
  const outcome = await seat.client.write(payments.recordPayment, {
    body: {
      familyId: pupil.familyId,
      amount,
      currency: 'GBP',
      method,
      date: seat.room.today,
      note,
    },
  });
  if (outcome.status !== 201) {
    seat.journal.mark('payment', note, 'never');
    seat.unexplained('a payment', outcome);
    return undefined;
  }
  const { id } = outcome.body;
  seat.journal.mark('payment', note, 'once');
  seat.journal.note('payments', id, {
    amount,
    method,
    note,
    kind: 'payment',
    refunded: 0,
    reversed: false,
  });
  seat.journal.owe(pupil.familyId, -amount);
  const money = { id, pupil, amount, refunded: 0, live: true };
  seat.payments.push(money);
  return money;
}

export async function refund(seat: Seat): Promise<void> {
  const money = seat.pick(seat.payments, ({ live, amount, refunded }) => live && refunded < amount);
  if (!money) return void (await pay(seat));
  const note = seat.newMark('back');
  const amount = seat.random.between(1, money.amount - money.refunded);
  const outcome = await seat.client.write(payments.refundPayment, {
    params: { id: money.id },
    body: { amount, date: seat.room.today, note },
  });
  if (outcome.status !== 201) {
    seat.journal.mark('payment', note, 'never');
    return seat.unexplained('a refund', outcome);
  }
  money.refunded += amount;
  seat.journal.mark('payment', note, 'once');
  seat.journal.note('payments', money.id, { refunded: money.refunded });
  seat.journal.owe(money.pupil.familyId, amount);
}

export async function takeBack(seat: Seat): Promise<void> {
  const money = seat.pick(seat.payments, ({ live, refunded }) => live && refunded === 0);
  if (!money) return void (await pay(seat));
  const outcome = await seat.client.write(payments.reversePayment, { params: { id: money.id } });
  if (outcome.status !== 200) return seat.unexplained('taking a payment back', outcome);
  money.live = false;
  seat.journal.note('payments', money.id, { reversed: true });
  seat.journal.owe(money.pupil.familyId, money.amount);
}

export async function openAccount(seat: Seat): Promise<void> {
  const pupil = seat.pick(seat.pupils, ({ opened, stays }) => stays && !opened);
  if (!pupil) return void (await somePupil(seat));
  const amount = seat.random.between(100, 9_000) * (seat.random.chance(0.7) ? 1 : -1);
  const outcome = await seat.client.write(families.setOpeningBalance, {
    params: { id: pupil.familyId },
    body: { amount, currency: 'GBP', date: seat.room.today },
  });
  pupil.opened = true;
  if (outcome.status !== 201) return seat.unexplained('an opening balance', outcome);
  seat.journal.owe(pupil.familyId, amount);
}
