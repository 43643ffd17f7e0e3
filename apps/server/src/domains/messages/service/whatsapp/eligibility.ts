import type { Context } from '../../../../context.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { getTutorContact } from '../../../accounts/service/profile/profile.ts';
import { consentedAmong } from '../../queries/whatsapp.ts';
import { normalizeNumber } from '../../rules/opt-out.ts';
import { whatsAppDigits } from '../../rules/phone-number.ts';

/** A number as consents know it, however it was written; none when it cannot be reached from abroad. */
export function toE164(address: string): string | null {
  const digits = whatsAppDigits(address);
  return digits && `+${digits}`;
}

/** Under which a number stands among the stopped ones. */
export const hashNumber = (digits: string): Buffer => sha256(normalizeNumber(digits));

/**
 * Of these addresses, the ones that automatic WhatsApp messages go to by themselves: the server has an account, the tutor may
 * write through us, the person agreed. Whether the number was stopped is asked in the moment it goes.
 */
export async function filterAutoSendable(
  context: Context,
  tx: Tx,
  tutorId: string,
  addresses: readonly string[],
): Promise<Set<string>> {
  if (!context.whatsApp || addresses.length === 0) return new Set();
  const agreed = await consentedAmong(
    tx,
    tutorId,
    addresses.flatMap((address) => toE164(address) ?? []),
  );
  if (agreed.size === 0) return agreed;
  const { emailVerified, isDemo } = await getTutorContact(tx, tutorId);
  if (!emailVerified && !isDemo) return new Set();
  return new Set(addresses.filter((address) => agreed.has(toE164(address) ?? '')));
}
