import type { LoginRow } from '@lessonbook/contract/security';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { recordAudit } from '../../../../platform/audit-log.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { Login } from '../../../../platform/http/authentication.ts';
import { describeUserAgent } from '../../../../platform/http/user-agent.ts';
import { activeLoginsOf, deleteLoginByPublicId } from '../../queries/logins.ts';
import { directoryEntry } from '../../queries/tutor-accounts.ts';
import { notifyOwner } from '../email/security-email.ts';
import { invalidateOtherLogins, withSecurityChange } from './security-change-transaction.ts';

/** The current browser comes first. Visitors to the demo account see only their own login. */
export async function listLogins(context: Context, login: Login): Promise<LoginRow[]> {
  const { db, clock } = context;
  const [[entry], rows] = await db.tutorRead(login.tutorId, (tx) => [
    directoryEntry(tx, login.tutorId),
    activeLoginsOf(tx, login.tutorId, clock.now()),
  ]);
  const all = rows.map((row) => ({
    id: row.publicId,
    device: entry?.isDemo ? 'Your browser' : describeUserAgent(row.userAgent),
    isCurrent: row.tokenHash.equals(login.tokenHash),
    firstSeenAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
  }));
  const current = all.filter(({ isCurrent }) => isCurrent);
  const others = all.filter(({ isCurrent }) => !isCurrent);
  return entry?.isDemo ? current : [...current, ...others];
}

export async function revokeLogin(context: Context, login: Login, id: string): Promise<void> {
  await withSecurityChange(context, login, async (tx) => {
    const deleted = await deleteLoginByPublicId(tx, login.tutorId, id);
    if (!deleted) throw new AppError('not_found', 'That browser is already logged out.');
    await recordRevokedLogins(context, tx, login.tutorId, 'one');
  });
}

export const revokeOtherLogins = (context: Context, login: Login): Promise<number> =>
  withSecurityChange(context, login, async (tx) => {
    const count = await invalidateOtherLogins(tx, login);
    await recordRevokedLogins(context, tx, login.tutorId, 'others');
    return count;
  });

async function recordRevokedLogins(
  context: Context,
  tx: Tx,
  tutorId: string,
  scope: 'one' | 'others',
): Promise<void> {
  const at = context.clock.now();
  await recordAudit(tx, tutorId, { action: 'logins_ended', at, metadata: { scope } });
  await notifyOwner(context, tx, tutorId, 'logins-revoked');
}
