import { firstName } from '@lessonbook/contract/first-name';
import { normalizeText } from '@lessonbook/contract/normalize-text';
import type {
  PortalContact,
  PortalContactQuery,
  PortalSettings,
} from '@lessonbook/contract/portal-management';
import type { Context } from '../../../context.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import { wordPattern } from '../../../platform/search-patterns.ts';
import { notifyOwner } from '../../accounts/service/email/security-email.ts';
import { getTutorContact } from '../../accounts/service/profile/read-tutor.ts';
import { scheduleNoteEmails } from '../../messages/service/outbound/send-lesson-note-emails.ts';
import { revokeContactLogins } from '../queries/contact-logins.ts';
import { portalContactCounts, portalContacts } from '../queries/portal-contacts.ts';
import { portalState, setPortalOpenedAt, updateNoteEmailHour } from '../queries/portal-settings.ts';
import { maySendWhatsApp } from '../rules/sign-in.ts';

const MAX_SEARCH_WORDS = 5;

export async function readPortalSettings(
  context: Context,
  tutorId: string,
): Promise<PortalSettings> {
  const settings = await context.db.tutorSnapshot(tutorId, async (tx) => {
    const hasWhatsApp = await canSignInByWhatsApp(context, tx, tutorId);
    const [[state], [contactCounts]] = await executeBatch(tx, [
      portalState(tx, tutorId),
      portalContactCounts(tx, tutorId, hasWhatsApp),
    ]);
    return { hasWhatsApp, state, contactCounts };
  });
  const { hasWhatsApp, state, contactCounts } = settings;
  return {
    openedAt: state?.openedAt?.toISOString() ?? null,
    hasWhatsApp,
    noteEmailHour: state?.noteEmailHour ?? null,
    contactCounts: contactCounts as PortalSettings['contactCounts'],
  };
}

export async function listPortalContacts(
  context: Context,
  tutorId: string,
  { search = '', ...page }: PortalContactQuery,
): Promise<PortalContact[]> {
  const words = normalizeText(search).replaceAll("'", '').split(/\s+/);
  const nameWords = words
    .filter((word) => word !== '')
    .slice(0, MAX_SEARCH_WORDS)
    .map((word) => wordPattern(word));
  const contacts = await context.db.tutorSnapshot(tutorId, async (tx) => {
    const hasWhatsApp = await canSignInByWhatsApp(context, tx, tutorId);
    return portalContacts(tx, tutorId, hasWhatsApp, { ...page, nameWords }).execute();
  });
  return contacts.map((contact) => ({
    ...contact,
    lastSeenAt: contact.lastSeenAt?.toISOString() ?? null,
    students: contact.students.map((student) => ({ ...student, name: firstName(student.name) })),
  }));
}

const canSignInByWhatsApp = async (
  { whatsApp }: Context,
  tx: Tx,
  tutorId: string,
): Promise<boolean> => whatsApp !== null && maySendWhatsApp(await getTutorContact(tx, tutorId));

/** Opening an open portal, or closing a closed one, changes nothing. */
export async function setPortalOpen(
  context: Context,
  tutorId: string,
  isOpen: boolean,
): Promise<PortalSettings> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const state = await portalState(tx, tutorId).executeTakeFirst();
    if ((state?.openedAt !== null) === isOpen) return;
    await setPortalOpenedAt(tx, tutorId, isOpen ? now : null);
    if (!isOpen) await revokeContactLogins(tx, tutorId, now);
    await recordAudit(tx, tutorId, { action: isOpen ? 'portal_opened' : 'portal_closed', at: now });
    if (isOpen) await notifyOwner(context, tx, tutorId, 'portal-opened');
    // Notes shared in the last few days may be waiting to be emailed.
    if (isOpen) await scheduleNoteEmails(context, tx, tutorId);
  });
  return readPortalSettings(context, tutorId);
}

export async function setNoteEmailHour(
  context: Context,
  tutorId: string,
  hour: number | null,
): Promise<PortalSettings> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    await updateNoteEmailHour(tx, tutorId, hour);
    await scheduleNoteEmails(context, tx, tutorId);
  });
  return readPortalSettings(context, tutorId);
}
