import type { CustomMessageRecipient } from '@lessonbook/contract/bulk-messages';
import { findMissingValue } from '@lessonbook/contract/message-placeholders';
import { firstName, pluralize } from '../../lib/format.ts';

/** Marks the families that cannot be sent the text because a placeholder in it has no value for them. */
export const checkRecipients = (
  recipients: readonly CustomMessageRecipient[],
  { subject, text }: { subject: string; text: string },
): CustomMessageRecipient[] =>
  recipients.map((recipient) => ({
    ...recipient,
    problem: recipient.problem ?? findMissingValue(`${subject} ${text}`, recipient.values),
  }));

/** "4 emails will be sent now. Helen's message will wait in To send until …. 1 message can't be sent." */
export function formatSendPlan(recipients: readonly CustomMessageRecipient[]): string {
  const reachable = recipients.filter(({ problem }) => problem === null);
  const emails = reachable.filter(({ channel }) => channel === 'email').length;
  const drafts = reachable.filter(({ channel }) => channel === 'whatsapp');
  const unreachable = recipients.length - reachable.length;
  const [draft] = drafts;
  const waitingText =
    drafts.length === 1 && draft
      ? `${firstName(draft.toName)}'s message will wait in To send until you send it in WhatsApp.`
      : `${drafts.length} messages will wait in To send until you send them in WhatsApp.`;
  return [
    emails > 0 && `${pluralize(emails, 'email')} will be sent now.`,
    drafts.length > 0 && waitingText,
    unreachable > 0 && `${pluralize(unreachable, 'message')} can't be sent.`,
  ]
    .filter(Boolean)
    .join(' ');
}
