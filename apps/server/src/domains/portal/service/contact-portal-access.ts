import type { AuditAction } from '@lessonbook/contract/audit';
import type { PortalBrowser } from '@lessonbook/contract/portal';
import type { PortalSettings } from '@lessonbook/contract/portal-management';
import { add24HourDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { describeUserAgent } from '../../../platform/http/user-agent.ts';
import { deleteContactFeed } from '../queries/contact-calendar-feeds.ts';
import { activeContactLogins, revokeContactLogins } from '../queries/contact-logins.ts';
import { contactExists, setContactSuspended } from '../queries/portal-contacts.ts';
import { IDLE_DAYS } from '../rules/sign-in.ts';
import { readPortalSettings } from './portal-settings.ts';

/** The contact is not notified. */
export async function setSuspension(
  context: Context,
  tutorId: string,
  contactId: number,
  isSuspended: boolean,
): Promise<PortalSettings> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, async (tx) => {
    if (!(await setContactSuspended(tx, tutorId, contactId, isSuspended ? now : null)))
      throw contactNotFound();
    if (isSuspended) await revokeContactLogins(tx, tutorId, now, contactId);
    const action: AuditAction = isSuspended ? 'contact_suspended' : 'contact_unsuspended';
    await recordAudit(tx, tutorId, { action, at: now });
  });
  return readPortalSettings(context, tutorId);
}

export async function listContactBrowsers(
  context: Context,
  tutorId: string,
  contactId: number,
): Promise<Omit<PortalBrowser, 'isCurrent'>[]> {
  const since = add24HourDays(context.clock.now(), -IDLE_DAYS);
  const [[contact], rows] = await context.db.tutorRead(tutorId, (tx) => [
    contactExists(tx, tutorId, contactId),
    activeContactLogins(tx, tutorId, contactId, since),
  ]);
  if (!contact) throw contactNotFound();
  return rows.map((row) => ({
    id: row.loginId,
    device: describeUserAgent(row.userAgent),
    firstSeenAt: row.firstSeenAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
  }));
}

/** The next request of each browser is rejected. */
export async function signOutContact(
  context: Context,
  tutorId: string,
  contactId: number,
): Promise<void> {
  const at = context.clock.now();
  await context.db.tutorTransaction(tutorId, async (tx: Tx) => {
    if (!(await contactExists(tx, tutorId, contactId).executeTakeFirst())) throw contactNotFound();
    await revokeContactLogins(tx, tutorId, at, contactId);
    // The calendar on a lost phone would otherwise continue to show the lessons.
    await deleteContactFeed(tx, tutorId, contactId);
    await recordAudit(tx, tutorId, { action: 'contact_signed_out', at });
  });
}

export const contactNotFound = (): AppError =>
  new AppError('not_found', "We couldn't find that contact.");
