import type { Context } from '../../../../context.ts';
import { recordAudit } from '../../../../platform/audit-log.ts';
import { randomToken, sha256 } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { LoginCookies } from '../../../../platform/http/cookies.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { describeUserAgent } from '../../../../platform/http/user-agent.ts';
import { scheduleWork } from '../../../../platform/queue/tenant-schedule.ts';
import { ACCOUNT_CLEANUP_WORK } from '../../job-types.ts';
import { popFailedLogins } from '../../queries/failed-logins.ts';
import {
  deleteLeastRecentLogins,
  deleteLogin,
  insertLogin,
  setLastActive,
} from '../../queries/logins.ts';
import {
  type LockedDirectoryEntry,
  lockDirectoryEntry,
  setFirstLoginAt,
} from '../../queries/tutor-accounts.ts';
import { loginExpiry } from '../../rules/expirations.ts';
import { notifyOwner } from '../email/security-email.ts';
import { cancelMfaRemoval } from '../mfa/mfa-removal.ts';
import { findTrustedDevice, trustDevice } from './trusted-devices.ts';

/** The last step of the login; for an MFA login, the method used for the second factor. */
export type LoginMethod = 'password' | 'google' | 'code' | 'passkey';

/** More browsers than a tutor uses; without a limit, a script could fill the table. */
const MAX_LOGINS = 30;
/** Visitors to the demo share one account, which is recreated each night. */
const MAX_DEMO_LOGINS = 1000;

/** Creates a login for this browser in the caller's transaction. The caller must have verified all factors. */
export async function createLogin(
  context: Context,
  tx: Tx,
  tutorId: string,
  requestContext: RequestContext,
  method: LoginMethod,
): Promise<LoginCookies> {
  const now = context.clock.now();
  const token = randomToken(32);
  const expiresAt = loginExpiry(now, now);
  const account = await lockDirectoryEntry(tx, tutorId);
  await notifyIfNewDevice(context, tx, tutorId, account, requestContext);
  // Someone who can log in as usual has not lost their factors.
  if (account.mfaRemovalDueAt) await cancelMfaRemoval(context, tx, tutorId);
  // The new cookie replaces the browser's previous token, so revoke it.
  if (requestContext.loginToken) await deleteLogin(tx, sha256(requestContext.loginToken));
  await insertLogin(tx, {
    tokenHash: sha256(token),
    tutorId,
    publicId: randomToken(),
    // Demo visitors can export the account's logins, including those of other visitors.
    userAgent: account.isDemo ? '' : requestContext.userAgent,
    now,
    expiresAt,
  });
  await setLastActive(tx, tutorId, now);
  await deleteLeastRecentLogins(tx, tutorId, account.isDemo ? MAX_DEMO_LOGINS : MAX_LOGINS);
  await scheduleWork(tx, tutorId, ACCOUNT_CLEANUP_WORK, expiresAt);
  const failedLogins = await popFailedLogins(tx, tutorId);
  if (failedLogins)
    await recordAudit(tx, tutorId, {
      action: 'failed_logins',
      at: failedLogins.lastFailedAt,
      metadata: { count: failedLogins.count },
      omitRequestContext: true,
    });
  // Demo visitors do not own the account, and anyone could fill its audit log.
  if (!account.isDemo)
    await recordAudit(tx, tutorId, { action: 'login', at: now, metadata: { by: method } });
  return { token, expiresAt, device: trustDevice(context, tutorId, requestContext) };
}

/** Notifies the owner of a login from an unknown browser, except for the account's first login. */
async function notifyIfNewDevice(
  context: Context,
  tx: Tx,
  tutorId: string,
  { firstLoginAt, devicesValidAfter }: LockedDirectoryEntry,
  requestContext: RequestContext,
): Promise<void> {
  if (firstLoginAt === null) return setFirstLoginAt(tx, tutorId, context.clock.now());
  if (findTrustedDevice(context, { tutorId, devicesValidAfter }, requestContext)) return;
  await notifyOwner(context, tx, tutorId, 'new-login', {
    detail: describeUserAgent(requestContext.userAgent),
  });
}
