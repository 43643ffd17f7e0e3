import { firstName } from '@lessonbook/contract/first-name';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { getTimeZone } from '../../../accounts/service/profile/read-tutor.ts';
import { getSignature } from '../../../invoices/service/business-settings.ts';
import { findChargeAnswerRecipient } from '../../queries/contact-recipient.ts';
import { formatShortDate } from '../../rules/format-dates-and-lessons.ts';
import { sendIfPossible } from '../outbound/payment-updates.ts';
import { notify } from './notifications.ts';

/* Families' questions about charges: a notification for the tutor, and the answer for the person who asked. */

interface ChargeQueryFacts {
  tutorId: string;
  queryId: number;
  familyId: number;
  contactId: number;
  contactName: string;
  studentName: string | null;
  description: string;
  date: string;
}

/** "Maya's Maths lesson on Tue 3 Nov" */
const describeCharge = (
  { studentName, description, date }: ChargeQueryFacts,
  today: string,
): string =>
  `${studentName ? `${studentName}'s ` : ''}${description} on ${formatShortDate(date, today)}`;

async function getToday({ clock }: Context, tx: Tx, tutorId: string): Promise<string> {
  return dateInZone(await getTimeZone(tx, tutorId), clock.now());
}

/** Stays open until the tutor has answered. */
export async function onChargeQueried(
  context: Context,
  tx: Tx,
  query: ChargeQueryFacts,
): Promise<void> {
  const { tutorId, queryId, familyId, contactName } = query;
  const charge = describeCharge(query, await getToday(context, tx, tutorId));
  await notify(context, tx, tutorId, {
    kind: 'charge_queried',
    dedupeKey: `charge queried ${queryId}`,
    text: `${contactName} has a question about the charge for ${charge}. They won't be asked to pay it until you've answered.`,
    path: `/families/${familyId}`,
    requiresAction: true,
    targetId: queryId,
  });
}

export async function onChargeQueryAnswered(
  context: Context,
  tx: Tx,
  query: ChargeQueryFacts & { isOwed: boolean; answer: string | null },
): Promise<void> {
  const { tutorId, queryId, contactId, isOwed, answer } = query;
  const contact = await findChargeAnswerRecipient(tx, tutorId, contactId);
  if (!contact) return;
  const charge = describeCharge(query, await getToday(context, tx, tutorId));
  const text = [
    `Hi ${firstName(contact.name)},`,
    `You asked about the charge for ${charge}. ${isOwed ? "I've checked, and the charge is correct." : "I've removed what was still to pay, so you don't need to pay it."}`,
    answer,
    await getSignature(tx, tutorId),
  ];
  await sendIfPossible(context, tx, tutorId, {
    kind: 'custom',
    channel: 'email',
    familyId: contact.familyId,
    toName: contact.name,
    address: contact.email,
    timeZone: contact.timeZone,
    subject: `Your question about ${charge}`,
    text: text.filter(Boolean).join('\n\n'),
    dedupeKey: `charge query ${queryId} answered`,
  });
}
