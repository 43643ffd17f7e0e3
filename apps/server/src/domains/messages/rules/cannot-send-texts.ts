import type { ReminderKind } from '@lessonbook/contract/messages';
import { REMINDER_LABELS } from './reminder-kinds.ts';

export const missingAddressMessage = ({
  toName,
  channel,
}: {
  toName: string;
  channel: string;
}): string =>
  channel === 'email'
    ? `${toName} has no email address yet. Please add one.`
    : `${toName} has no phone number yet. Please add one.`;

/** Shown when the tutor tries to remind someone who has unsubscribed from these reminders. */
export const optedOutMessage = (toName: string, kind: ReminderKind): string =>
  `${toName} has unsubscribed from ${REMINDER_LABELS[kind]}. You can still send an invoice, or contact them yourself.`;

/** Shown when the tutor tries to email an address from which the tutor was reported. */
export const reportedMessage = ({ toName }: { toName: string }): string =>
  `${toName} asked not to get emails from you. Please check the address, or contact them another way.`;
