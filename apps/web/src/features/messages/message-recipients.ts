import type { CustomMessageRecipient } from '@lessonbook/contract/bulk-messages';
import { findMissingValue } from '@lessonbook/contract/message-placeholders';
import { firstName, pluralize } from '../../lib/format.ts';

/** Adds the families for whom a placeholder of the text has no value. */
export const checkRecipients = (
  recipients: readonly CustomMessageRecipient[],
  { subject, text }: { subject: string; text: string },
): CustomMessageRecipient[] =>
  recipients.map((recipient) => ({
    ...recipient,
    problem: recipient.problem ?? findMissingValue(`${subject} ${text}`, recipient.values),
  }));

/** "4 are sent now. Helen's message is in To send until you open it in WhatsApp. 1 can't be sent." */
export function formatSendPlan(recipients: readonly CustomMessageRecipient[]): string {
  const reachable = recipients.filter(({ problem }) => problem === null);
  const emails = reachable.filter(({ channel }) => channel === 'email').length;
  const drafts = reachable.filter(({ channel }) => channel === 'whatsapp');
  const unreachable = recipients.length - reachable.length;
  const [draft] = drafts;
  const waits =
    drafts.length === 1 && draft
      ? `${firstName(draft.toName)}'s message is in To send until you open it in WhatsApp.`
      : `${drafts.length} are in To send until you open them in WhatsApp.`;
  return [
    emails > 0 && `${pluralize(emails, 'email')} ${emails === 1 ? 'is' : 'are'} sent now.`,
    drafts.length > 0 && waits,
    unreachable > 0 && `${unreachable} can't be sent.`,
  ]
    .filter(Boolean)
    .join(' ');
}
