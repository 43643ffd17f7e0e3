import type { Context } from '../../../../context.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { getTutorContact } from '../../../accounts/service/profile/read-tutor.ts';
import {
  findConsentedNumbers,
  findOptedOutHashes,
  findOptOutTime,
} from '../../queries/whatsapp-consents-and-opt-outs.ts';
import { normalizeNumber, whatsAppDigits } from '../../rules/whatsapp-number-and-link.ts';

/** Null if the number has no country code. */
export function toE164(address: string): string | null {
  const digits = whatsAppDigits(address);
  return digits && `+${digits}`;
}

/** The key used in whatsapp_opt_outs. */
export const hashNumber = (digits: string): Buffer => sha256(normalizeNumber(digits));

/** Whether the owner of the number has replied STOP to any tutor's reminder, and has not replied START since. */
export const hasOptedOut = async (tx: Tx, address: string): Promise<boolean> =>
  (await findOptOutTime(tx, hashNumber(whatsAppDigits(address) ?? ''))) !== null;

/** Returns the given phone numbers whose owners have replied STOP to any tutor's reminder and have not replied START since. */
export async function findOptedOutPhones(tx: Tx, phones: readonly string[]): Promise<Set<string>> {
  const hashes = new Map(phones.map((phone) => [phone, hashNumber(whatsAppDigits(phone) ?? '')]));
  const optedOut = await findOptedOutHashes(tx, [...hashes.values()]);
  return new Set(phones.filter((phone) => optedOut.has(hashes.get(phone)?.toString('hex') ?? '')));
}

/**
 * Returns the addresses that can be sent automatic WhatsApp messages. This requires a WhatsApp account on the server, a
 * verified tutor and the person's consent. Opt-outs are checked when the message is sent.
 */
export async function filterEligibleAddresses(
  context: Context,
  tx: Tx,
  tutorId: string,
  addresses: readonly string[],
): Promise<Set<string>> {
  if (!context.whatsApp || addresses.length === 0) return new Set();
  const consented = await findConsentedNumbers(
    tx,
    tutorId,
    addresses.flatMap((address) => toE164(address) ?? []),
  );
  if (consented.size === 0) return consented;
  const { emailVerified, isDemo } = await getTutorContact(tx, tutorId);
  if (!emailVerified && !isDemo) return new Set();
  return new Set(addresses.filter((address) => consented.has(toE164(address) ?? '')));
}
