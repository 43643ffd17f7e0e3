import type { AskedToAgree } from '@lessonbook/contract/agreements';
import { firstName } from '@lessonbook/contract/first-name';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { getTimeZone } from '../../../accounts/service/profile/read-tutor.ts';
import { getSignature } from '../../../invoices/service/business-settings.ts';
import { existingDedupeKeys } from '../../queries/messages.ts';
import { findBouncedAddresses, suppressionKey } from '../../queries/suppressions.ts';
import { formatLongDate } from '../../rules/format-dates-and-lessons.ts';
import { assertEmailVerified, createMessages } from './create-message.ts';
import { consumeEmailQuota } from './email-quota.ts';

interface Person {
  contactId: number;
  familyId: number;
  name: string;
  email: string;
  timeZone: string | null;
  /** Whether the person has accepted an earlier version. */
  hasAcceptedEarlier: boolean;
}

/** Asks people to accept a version of the agreement in the portal. Each person is asked only once for each version. */
export async function sendAgreementEmails(
  context: Context,
  tx: Tx,
  tutorId: string,
  { version, startsOn }: { version: number; startsOn: string },
  people: readonly Person[],
): Promise<Pick<AskedToAgree, 'sent' | 'alreadyAsked' | 'undeliverable'>> {
  await assertEmailVerified(tx, tutorId);
  const today = dateInZone(await getTimeZone(tx, tutorId), context.clock.now());
  const signature = await getSignature(tx, tutorId);
  const start = startsOn > today ? `It applies from ${formatLongDate(startsOn, today)}.` : '';
  const messages = people.map(
    ({ contactId, familyId, name, email, timeZone, hasAcceptedEarlier }) => ({
      kind: 'custom' as const,
      channel: 'email' as const,
      familyId,
      toName: name,
      address: email,
      timeZone,
      subject: hasAcceptedEarlier
        ? 'My agreement has changed: please read it'
        : 'Please read my agreement',
      text: [
        `Hi ${firstName(name)},`,
        `${hasAcceptedEarlier ? "I've changed the agreement for our lessons." : "I've put the terms of our lessons in an agreement."} ${start}`.trim(),
        `Please sign in to the family portal to read and accept it: ${context.config.origin}/family`,
        signature,
      ].join('\n\n'),
      dedupeKey: `agreement ${version} contact ${contactId}`,
    }),
  );
  const sent = await existingDedupeKeys(
    tx,
    tutorId,
    messages.map(({ dedupeKey }) => dedupeKey),
  );
  const bounced = await findBouncedAddresses(tx, tutorId, messages);
  const deliverable = messages.filter((message) => !bounced.has(suppressionKey(message)));
  const pending = deliverable.filter(({ dedupeKey }) => !sent.has(dedupeKey));
  const allowed = await consumeEmailQuota(context, tx, tutorId, pending);
  const created = await createMessages(context, tx, tutorId, allowed);
  const alreadyAsked = deliverable.length - pending.length;
  return {
    sent: created.length,
    alreadyAsked,
    undeliverable: messages.length - alreadyAsked - created.length,
  };
}
