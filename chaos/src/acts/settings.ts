import { accounts } from '@lessonbook/contract/accounts';
import { families } from '@lessonbook/contract/families';
import { timeOff } from '@lessonbook/contract/time-off';
import type { Seat } from '../clients/seat.ts';
import { somePupil } from './lessons.ts';

/* A tutor has one row of each of these, so one browser alone changes them. */

export async function changePolicy(seat: Seat): Promise<void> {
  if (seat.number > 0) return changeFamily(seat);
  const body = {
    noticeHours: seat.random.between(0, 720),
    feePercent: seat.random.between(0, 100),
  };
  const outcome = await seat.client.write(timeOff.updatePolicy, { body });
  if (outcome.status !== 200) return seat.unexplained('a policy', outcome);
  const { noticeHours, feePercent } = body;
  seat.journal.note('cancellation_policies', null, {
    notice_hours: noticeHours,
    fee_percent: feePercent,
  });
}

export async function turnSwitches(seat: Seat): Promise<void> {
  if (seat.number > 0) return changeFamily(seat);
  const emailNotifications = seat.random.chance(0.5);
  const body = { emailNotifications, lessonReminders: true, paymentNotifications: true };
  const outcome = await seat.client.write(accounts.updateNotificationSettings, { body });
  if (outcome.status !== 200) return seat.unexplained('the switches', outcome);
  seat.journal.note('tutors', null, { email_notifications: emailNotifications });
}

export async function changeFamily(seat: Seat): Promise<void> {
  const pupil = await somePupil(seat);
  if (!pupil) return;
  const address = `${seat.random.between(1, 10_000)} High Street`;
  const reference = `R${seat.random.between(1, 1_000_000)}`;
  const outcome = await seat.client.write(families.updateFamily, {
    params: { id: pupil.familyId },
    body: { address, reference },
  });
  if (outcome.status !== 200) return seat.unexplained('a change of a family', outcome);
  seat.journal.note('families', pupil.familyId, { address, payment_reference: reference });
}
