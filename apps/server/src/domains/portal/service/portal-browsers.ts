import type { PortalBrowser } from '@lessonbook/contract/portal';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { ContactLogin } from '../../../platform/http/authentication.ts';
import { describeUserAgent } from '../../../platform/http/user-agent.ts';
import {
  deletePortalLogin,
  portalLoginsByAddress,
} from '../queries/contact-directory-and-portal-logins.ts';

/** The current browser comes first. */
export async function listPortalBrowsers(
  { db, clock }: Context,
  login: ContactLogin,
): Promise<PortalBrowser[]> {
  const rows = await portalLoginsByAddress(db.global, login.addressHash, clock.now());
  return rows
    .map((row) => ({
      id: row.loginId,
      device: describeUserAgent(row.userAgent),
      isCurrent: row.loginId === login.id,
      firstSeenAt: row.createdAt.toISOString(),
      lastSeenAt: row.lastSeenAt.toISOString(),
    }))
    .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
}

export async function signOutPortalBrowser(
  { db }: Context,
  login: ContactLogin,
  loginId: string,
): Promise<void> {
  if (!(await deletePortalLogin(db.global, login.addressHash, loginId)))
    throw new AppError('not_found', 'That browser is already signed out.');
}
