import type { Context } from '../../../context.ts';
import { putOnAgenda } from '../../../platform/agenda.ts';
import { audit } from '../../../platform/audit.ts';
import type { LoginCookies } from '../../../platform/cookies.ts';
import { randomToken, sha256 } from '../../../platform/crypto.ts';
import type { Tx } from '../../../platform/db.ts';
import { deviceInWords } from '../../../platform/device.ts';
import type { Visitor } from '../../../platform/http.ts';
import { takeFailedLogins } from '../queries/failed-logins.ts';
import { deleteLogin, insertLogin } from '../queries/logins.ts';
import { type LockedEntry, lockEntry, noteFirstLogin } from '../queries/tutors.ts';
import { loginExpiry } from '../rules/lifetimes.ts';
import { knownDevice, meetDevice } from './devices.ts';
import { tell } from './notices.ts';
import { TIDY } from './tidy.ts';

/** What was given last. */
export type WayIn = 'password' | 'google' | 'code' | 'passkey';

/** A new login for this browser, in the tutor's transaction; everything that was asked for has been given. */
export async function startLogin(
  context: Context,
  tx: Tx,
  tutorId: string,
  visitor: Visitor,
  by: WayIn,
): Promise<LoginCookies> {
  const now = context.clock.now();
  const token = randomToken(32);
  const expiresAt = loginExpiry(now, now);
  await tellOfStranger(context, tx, tutorId, await lockEntry(tx, tutorId), visitor);
  // The browser forgets the token that it had: nobody else shall go on with it.
  if (visitor.holds) await deleteLogin(tx, sha256(visitor.holds));
  await insertLogin(tx, {
    tokenHash: sha256(token),
    tutorId,
    publicId: randomToken(),
    userAgent: visitor.userAgent,
    now,
    expiresAt,
  });
  await putOnAgenda(tx, tutorId, TIDY, expiresAt);
  const failed = await takeFailedLogins(tx, tutorId);
  if (failed)
    await audit(tx, tutorId, {
      act: 'failed_logins',
      at: failed.lastAt,
      facts: { count: failed.count },
      byStrangers: true,
    });
  await audit(tx, tutorId, { act: 'login', at: now, facts: { by } });
  return { token, expiresAt, device: meetDevice(context, tutorId, visitor) };
}

/** A browser that the account has not seen is news, but for the very first one. */
async function tellOfStranger(
  context: Context,
  tx: Tx,
  tutorId: string,
  { firstLoginAt, devicesSince }: LockedEntry,
  visitor: Visitor,
): Promise<void> {
  if (firstLoginAt === null) return noteFirstLogin(tx, tutorId, context.clock.now());
  if (knownDevice(context, { tutorId, devicesSince }, visitor)) return;
  await tell(context, tx, tutorId, 'new-login', { detail: deviceInWords(visitor.userAgent) });
}
