import type { Context } from '../../../context.ts';
import { sha256 } from '../../../platform/crypto.ts';
import type { Tx } from '../../../platform/db.ts';
import { contactIn } from '../../accounts/service/profile.ts';
import { agreedAmong } from '../queries/whatsapp.ts';
import { numberKey } from '../rules/stop.ts';
import { whatsAppDigits } from '../rules/whatsapp.ts';

/** A number as consents know it, however it was written; none when it cannot be reached from abroad. */
export function numberOf(address: string): string | null {
  const digits = whatsAppDigits(address);
  return digits && `+${digits}`;
}

/** Under which a number stands among the stopped ones. */
export const numberHash = (digits: string): Buffer => sha256(numberKey(digits));

/**
 * Of these addresses, the ones that automatic WhatsApp messages go to by themselves: the server has an account, the tutor may
 * write through us, the person agreed. Whether the number was stopped is asked in the moment it goes.
 */
export async function goingByThemselves(
  context: Context,
  tx: Tx,
  tutorId: string,
  addresses: readonly string[],
): Promise<Set<string>> {
  if (!context.whatsApp || addresses.length === 0) return new Set();
  const agreed = await agreedAmong(
    tx,
    tutorId,
    addresses.flatMap((address) => numberOf(address) ?? []),
  );
  if (agreed.size === 0) return agreed;
  const { emailVerified, isDemo } = await contactIn(tx, tutorId);
  if (!emailVerified && !isDemo) return new Set();
  return new Set(addresses.filter((address) => agreed.has(numberOf(address) ?? '')));
}
