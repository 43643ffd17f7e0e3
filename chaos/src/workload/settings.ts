import { accounts } from '@lessonbook/contract/accounts';
import { cancellationPolicy } from '@lessonbook/contract/cancellation-policy-settings';
import { families } from '@lessonbook/contract/families';
import type { VirtualUser } from '../virtual-users/virtual-user-state.ts';
import { pickStudent } from './lessons.ts';

/*
 * The policy and the notification settings are one row per tutor, so only the first virtual user changes them; the others
 * update a family instead.
 */

export async function changePolicy(user: VirtualUser): Promise<void> {
  if (user.number > 0) return changeFamily(user);
  const body = {
    tiers: [{ noticeHours: user.random.between(0, 720), feePercent: user.random.between(0, 100) }],
    freeLateCancellations: user.random.between(0, 10),
    illnessNote: `Note ${user.random.between(0, 1_000_000)}`,
  };
  const outcome = await user.client.write(cancellationPolicy.updatePolicy, { body });
  if (outcome.status !== 200)
    return user.reportUnexplained('updating the cancellation policy', outcome);
  user.expected.expectRow('cancellation_policies', null, {
    free_late_cancellations: body.freeLateCancellations,
    illness_note: body.illnessNote,
  });
}

export async function changeNotificationSettings(user: VirtualUser): Promise<void> {
  if (user.number > 0) return changeFamily(user);
  const emailNotifications = user.random.chance(0.5);
  const body = { emailNotifications, lessonReminders: true, paymentNotifications: true };
  const outcome = await user.client.write(accounts.updateNotificationSettings, { body });
  if (outcome.status !== 200)
    return user.reportUnexplained('updating the notification settings', outcome);
  user.expected.expectRow('tutors', null, { email_notifications: emailNotifications });
}

export async function changeFamily(user: VirtualUser): Promise<void> {
  const student = await pickStudent(user);
  if (!student) return;
  const address = `${user.random.between(1, 10_000)} High Street`;
  const reference = `R${user.random.between(1, 1_000_000)}`;
  const outcome = await user.client.write(families.updateFamily, {
    params: { id: student.familyId },
    body: { address, reference },
  });
  if (outcome.status !== 200) return user.reportUnexplained('updating a family', outcome);
  user.expected.expectRow('families', student.familyId, { address, payment_reference: reference });
}
