import type { Context } from '../../../../context.ts';
import { recordAudit } from '../../../../platform/audit-log.ts';
import { randomToken, sha256 } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { LoginCookies } from '../../../../platform/http/cookies.ts';
import type { RequestContext } from '../../../../platform/http/http-server.ts';
import { describeUserAgent } from '../../../../platform/http/user-agent.ts';
import { scheduleWork } from '../../../../platform/queue/tenant-schedule.ts';
import { popFailedLogins } from '../../queries/failed-logins.ts';
import { deleteLogin, insertLogin } from '../../queries/logins.ts';
import {
  type LockedDirectoryEntry,
  lockDirectoryEntry,
  setFirstLoginAt,
} from '../../queries/tutors.ts';
import { loginExpiry } from '../../rules/expirations.ts';
import { ACCOUNT_CLEANUP_WORK } from '../deletion/cleanup-expired.ts';
import { notifyOwner } from '../email/security-notifications.ts';
import { findTrustedDevice, trustDevice } from './trusted-devices.ts';

/** What was given last. */
export type LoginMethod = 'password' | 'google' | 'code' | 'passkey';

/** A new login for this browser, in the tutor's transaction; everything that was asked for has been given. */
export async function createLogin(
  context: Context,
  tx: Tx,
  tutorId: string,
  requestContext: RequestContext,
  by: LoginMethod,
): Promise<LoginCookies> {
  const now = context.clock.now();
  const token = randomToken(32);
  const expiresAt = loginExpiry(now, now);
  await notifyNewDevice(
    context,
    tx,
    tutorId,
    await lockDirectoryEntry(tx, tutorId),
    requestContext,
  );
  // The browser forgets the token that it had: nobody else shall go on with it.
  if (requestContext.loginToken) await deleteLogin(tx, sha256(requestContext.loginToken));
  await insertLogin(tx, {
    tokenHash: sha256(token),
    tutorId,
    publicId: randomToken(),
    userAgent: requestContext.userAgent,
    now,
    expiresAt,
  });
  await scheduleWork(tx, tutorId, ACCOUNT_CLEANUP_WORK, expiresAt);
  const failed = await popFailedLogins(tx, tutorId);
  if (failed)
    await recordAudit(tx, tutorId, {
      act: 'failed_logins',
      at: failed.lastAt,
      facts: { count: failed.count },
      byStrangers: true,
    });
  await recordAudit(tx, tutorId, { act: 'login', at: now, facts: { by } });
  return { token, expiresAt, device: trustDevice(context, tutorId, requestContext) };
}

/** A browser that the account has not seen is news, but for the very first one. */
async function notifyNewDevice(
  context: Context,
  tx: Tx,
  tutorId: string,
  { firstLoginAt, devicesSince }: LockedDirectoryEntry,
  requestContext: RequestContext,
): Promise<void> {
  if (firstLoginAt === null) return setFirstLoginAt(tx, tutorId, context.clock.now());
  if (findTrustedDevice(context, { tutorId, devicesSince }, requestContext)) return;
  await notifyOwner(context, tx, tutorId, 'new-login', {
    detail: describeUserAgent(requestContext.userAgent),
  });
}
