import type { FamilyResult } from '@lessonbook/contract/bulk-messages';
import { CHANNELS, type Channel } from '@lessonbook/contract/messages';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { getPayers } from '../../../payments/service/amounts-owed-and-transfer-claims.ts';
import { messagesByIds } from '../../queries/messages.ts';
import { findBouncedAddresses, suppressionKey } from '../../queries/suppressions.ts';
import { missingAddressMessage } from '../../rules/cannot-send-texts.ts';
import { findOptedOutPhones } from '../whatsapp/eligibility.ts';
import { createMessages, type OutgoingMessage } from './create-message.ts';
import { consumeEmailQuota, findRecipientProblems } from './email-quota.ts';
import { isInOutbox } from './list-retry-and-dismiss-messages.ts';

/* Sends messages to several families at once. The number of SQL queries does not depend on the number of families. */

interface Payer {
  name: string;
  email: string | null;
  phone: string | null;
}

export interface FamilyAddress {
  toName: string;
  channel: Channel;
  address: string | null;
  /** The reason why the family cannot be sent a message, or null. */
  problem: string | null;
}

/**
 * Chooses each payer's address on the preferred channel if possible, otherwise on the other channel. Leaves out addresses of
 * people who have reported the tutor, whose emails bounce, or who replied STOP in WhatsApp.
 */
export async function chooseAddresses(
  context: Context,
  tx: Tx,
  tutorId: string,
  payers: ReadonlyMap<number, Payer>,
  preferred: Channel,
): Promise<Map<number, FamilyAddress>> {
  const channels = [preferred, ...CHANNELS.filter((channel) => channel !== preferred)];
  const options = [...payers].flatMap(([familyId, { name, email, phone }]) =>
    channels.map((channel) => ({
      familyId,
      toName: name,
      channel,
      address: channel === 'email' ? email : phone,
    })),
  );
  const withAddress = options.flatMap(({ channel, address }) =>
    address ? [{ channel, address }] : [],
  );
  const problems = await findRecipientProblems(context, tx, tutorId, options);
  const bounced = await findBouncedAddresses(tx, tutorId, withAddress);
  const phones = withAddress.flatMap((each) => (each.channel === 'whatsapp' ? each.address : []));
  const optedOut = await findOptedOutPhones(tx, phones);
  const findProblem = (option: (typeof options)[number]): string | null => {
    const { toName, channel, address } = option;
    if (!address) return missingAddressMessage({ toName, channel });
    if (bounced.has(suppressionKey({ channel, address }))) {
      return `Emails to ${address} can't be delivered. Please check the address.`;
    }
    if (channel === 'whatsapp' && optedOut.has(address)) {
      return `${toName} replied STOP to WhatsApp messages. Please contact them another way.`;
    }
    return problems.get(option) ?? null;
  };
  const byFamily = Map.groupBy(options, ({ familyId }) => familyId);
  return new Map(
    [...byFamily].map(([familyId, familyOptions]) => {
      const checked = familyOptions.map((option) => ({ ...option, problem: findProblem(option) }));
      const chosen =
        checked.find(({ problem }) => problem === null) ??
        checked.find(({ address }) => address !== null) ??
        checked[0];
      const { familyId: _, ...address } = chosen as (typeof checked)[number];
      return [familyId, address];
    }),
  );
}

/** A message to a family, or the reason why there is none. */
export type FamilyMessage = { familyId: number; toName: string } & (
  | { message: OutgoingMessage }
  | { outcome: 'already_sent' | 'not_sent'; problem: string }
);

/** Creates the messages and returns the outcome for each family. */
export async function sendToFamilies(
  context: Context,
  tx: Tx,
  tutorId: string,
  families: readonly FamilyMessage[],
): Promise<FamilyResult[]> {
  const outgoing = families.flatMap((family) => ('message' in family ? [family.message] : []));
  const allowed = await consumeEmailQuota(context, tx, tutorId, outgoing);
  const ids = await createMessages(context, tx, tutorId, allowed);
  const idByMessage = new Map(allowed.map((message, index) => [message, ids[index] ?? null]));
  const created = await messagesByIds(tx, tutorId, ids).execute();
  const drafts = new Set(created.filter(isInOutbox).map(({ id }) => id));
  return families.map((family) => {
    const { familyId, toName } = family;
    if (!('message' in family)) {
      const { outcome, problem } = family;
      return { familyId, toName, outcome, problem, messageId: null };
    }
    const messageId = idByMessage.get(family.message) ?? null;
    if (messageId === null) {
      const problem = `${toName} has had a lot of emails today. Please try again tomorrow.`;
      return { familyId, toName, outcome: 'not_sent', problem, messageId };
    }
    const outcome = drafts.has(messageId) ? 'to_send' : 'sent';
    return { familyId, toName, outcome, problem: null, messageId };
  });
}

/** The email address for each family's invoices, and the reason if they cannot be emailed. */
export async function findInvoiceRecipients(
  context: Context,
  tx: Tx,
  tutorId: string,
  familyIds: readonly number[],
): Promise<Map<number, { address: string | null; problem: string | null }>> {
  const accounts = await getPayers(tx, tutorId, familyIds);
  const recipients = [...accounts].map(([familyId, { name, email }]) => ({
    familyId,
    toName: name,
    channel: 'email' as const,
    address: email || null,
  }));
  const problems = await findRecipientProblems(context, tx, tutorId, recipients);
  return new Map(
    recipients.map((recipient) => {
      const { familyId, address } = recipient;
      const problem = address ? problems.get(recipient) : missingAddressMessage(recipient);
      return [familyId, { address, problem: problem ?? null }];
    }),
  );
}
