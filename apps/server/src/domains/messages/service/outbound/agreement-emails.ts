import { firstName } from '@lessonbook/contract/first-name';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { getTimeZone } from '../../../accounts/service/profile/read-tutor.ts';
import { getSignature } from '../../../invoices/service/business-settings.ts';
import { existingDedupeKeys } from '../../queries/messages.ts';
import { findBouncedAddresses, suppressionKey } from '../../queries/suppressions.ts';
import { formatLongDate } from '../../rules/templates.ts';
import { assertEmailVerified, createMessages } from './create-message.ts';
import { consumeEmailQuota } from './email-quota.ts';

interface Person {
  contactId: number;
  familyId: number;
  name: string;
  email: string;
  timeZone: string | null;
}

/** Asks people to accept a version of the agreement in the portal, once for each of them. Returns the number of emails. */
export async function sendAgreementEmails(
  context: Context,
  tx: Tx,
  tutorId: string,
  { version, startsOn }: { version: number; startsOn: string },
  people: readonly Person[],
): Promise<number> {
  await assertEmailVerified(tx, tutorId);
  const today = dateInZone(await getTimeZone(tx, tutorId), context.clock.now());
  const signature = await getSignature(tx, tutorId);
  const start = startsOn > today ? `It applies from ${formatLongDate(startsOn, today)}.` : '';
  const messages = people.map(({ contactId, familyId, name, email, timeZone }) => ({
    kind: 'custom' as const,
    channel: 'email' as const,
    familyId,
    toName: name,
    address: email,
    timeZone,
    subject:
      version === 1 ? 'Please read my agreement' : 'My agreement has changed: please read it',
    text: [
      `Hi ${firstName(name)},`,
      `${version === 1 ? "I've put the terms of our lessons in an agreement." : "I've changed the agreement for our lessons."} ${start}`.trim(),
      `Please sign in to the family portal to read and accept it: ${context.config.origin}/family`,
      signature,
    ].join('\n\n'),
    dedupeKey: `agreement ${version} contact ${contactId}`,
  }));
  const sent = await existingDedupeKeys(
    tx,
    tutorId,
    messages.map(({ dedupeKey }) => dedupeKey),
  );
  const bounced = await findBouncedAddresses(tx, tutorId, messages);
  const pending = messages.filter(
    (message) => !sent.has(message.dedupeKey) && !bounced.has(suppressionKey(message)),
  );
  const allowed = await consumeEmailQuota(context, tx, tutorId, pending);
  return (await createMessages(context, tx, tutorId, allowed)).length;
}
