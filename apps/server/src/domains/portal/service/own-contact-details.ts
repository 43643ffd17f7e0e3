import { firstName } from '@lessonbook/contract/first-name';
import type {
  PortalContactDetails,
  PortalReminderInput,
} from '@lessonbook/contract/portal-contact-details';
import type { Context } from '../../../context.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { executeAsContact } from '../../../platform/db/execute-statement-batch.ts';
import {
  type Contact,
  type ContactLogin,
  signedOutError,
} from '../../../platform/http/authentication.ts';
import {
  getContactReminders,
  setContactReminder,
  updateReminderAddress,
} from '../../messages/service/reminders/contact-reminder-preferences.ts';
import { changeContactEmailOrPhone } from '../../students/service/student-contacts.ts';
import { contactDetailsChanged } from '../events.ts';
import { type PortalContactRow, portalContact, portalTutor } from '../queries/portal-views.ts';
import { phoneChangesByContact, reminderChangesByContact } from './rate-limits.ts';

/** Both the view and this function show only what is on file about the person who is signed in. */
export async function readPortalDetails(
  context: Context,
  login: ContactLogin,
  contact: Contact,
): Promise<PortalContactDetails> {
  const { tutorId } = contact;
  const [rows, [tutor]] = await context.db.contactRead(contact, (tx) => [
    portalContact(tx),
    portalTutor(tx),
  ]);
  const row = findOwnRow(contact, rows);
  if (!row || !tutor) throw signedOutError();
  const { contactId: _, ...details } = row;
  return {
    ...details,
    tutorName: tutor.name,
    studentNames: contact.students.map(({ name }) => firstName(name)),
    ...(await context.db.tutorSnapshot(tutorId, (tx) =>
      getContactReminders(context, tx, toSignedIn(login, contact)),
    )),
  };
}

const toSignedIn = ({ address }: ContactLogin, { tutorId, contactId }: Contact) => ({
  tutorId,
  contactId,
  signInAddress: address,
});

const findOwnRow = ({ contactId }: Contact, rows: readonly PortalContactRow[]) =>
  rows.find((row) => row.contactId === contactId);

/**
 * Checks with the contact's database privileges whether the person may still change anything, in the same transaction
 * as the change.
 */
export async function authoriseContact(tx: Tx, contact: Contact): Promise<PortalContactRow> {
  const [rows] = await executeAsContact(tx, contact, [portalContact(tx)]);
  const row = findOwnRow(contact, rows);
  if (!row) throw signedOutError();
  return row;
}

/** Saving the number already on file changes nothing. Logins with the old number end. */
export async function changePortalPhone(
  context: Context,
  login: ContactLogin,
  contact: Contact,
  phone: string,
): Promise<PortalContactDetails> {
  const { tutorId, contactId } = contact;
  await context.limiter.consume(phoneChangesByContact, `${tutorId} ${contactId}`);
  const before = await readPortalDetails(context, login, contact);
  const after = await context.db.tutorTransaction(tutorId, async (tx) => {
    await authoriseContact(tx, contact);
    return changeOwnEmailOrPhone(context, tx, contact, { phone });
  });
  // Not read again: a person who signed in with the old number has just lost access.
  return { ...before, phone: after ?? before.phone };
}

/** Changes the contact's email or phone number and notifies the tutor. Returns the new one, or null if nothing changed. */
export async function changeOwnEmailOrPhone(
  context: Context,
  tx: Tx,
  { tutorId, contactId, students }: Contact,
  address: { email: string } | { phone: string },
): Promise<string | null> {
  const change = await changeContactEmailOrPhone(tx, tutorId, contactId, address);
  if (!change) return null;
  const field = 'email' in address ? 'email' : 'phone';
  const { before, after } = change;
  await updateReminderAddress(context, tx, tutorId, { field, from: before, to: after });
  await context.events.publish(tx, contactDetailsChanged, {
    tutorId,
    contactId,
    contactName: change.name,
    studentId: students[0]?.id ?? 0,
    field,
    before,
    after,
  });
  await recordAudit(tx, tutorId, {
    action: 'contact_changed_by_family',
    at: context.clock.now(),
    metadata: { contactId, field },
    omitRequestContext: true,
  });
  return after;
}

export async function setPortalReminder(
  context: Context,
  login: ContactLogin,
  contact: Contact,
  input: PortalReminderInput,
): Promise<PortalContactDetails> {
  const { tutorId, contactId } = contact;
  await context.limiter.consume(reminderChangesByContact, `${tutorId} ${contactId}`);
  await context.db.tutorTransaction(tutorId, async (tx) => {
    await authoriseContact(tx, contact);
    await setContactReminder(context, tx, toSignedIn(login, contact), input);
  });
  return readPortalDetails(context, login, contact);
}
