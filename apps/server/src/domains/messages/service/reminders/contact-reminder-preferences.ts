import type {
  PortalReminder,
  PortalReminderInput,
} from '@lessonbook/contract/portal-contact-details';
import { dateInZone } from '@lessonbook/contract/time';
import { CONSENT_WORDING } from '@lessonbook/contract/whatsapp-consent';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { getTimeZone } from '../../../accounts/service/profile/read-tutor.ts';
import {
  type ContactReminderRow,
  contactReminders,
} from '../../queries/contact-reminder-preferences.ts';
import {
  copyOptOuts,
  deleteUnusedOptOuts,
  findStoppedKinds,
} from '../../queries/reminder-opt-outs.ts';
import {
  endConsent,
  endUnusedConsent,
  findConsentedNumbers,
  saveConsent,
} from '../../queries/whatsapp-consents-and-opt-outs.ts';
import {
  findCommonLeadTime,
  selectLessonReminders,
} from '../../rules/contact-reminder-preferences.ts';
import { notify } from '../notifications/notifications.ts';
import { canSendEmail } from '../outbound/create-message.ts';
import { hasOptedOut, toE164 } from '../whatsapp/eligibility.ts';
import { getSettings } from './reminder-settings.ts';
import { replaceStoppedKinds } from './save-reminder-opt-outs.ts';

/* The reminders that a contact can turn on and off in the family portal. They use the same opt-outs and consents as elsewhere. */

/** A contact who is signed in. */
export interface SignedInContact {
  tutorId: string;
  contactId: number;
  /** The email address or phone number verified by the sign-in. */
  signInAddress: string;
}

/** Returns only the reminders that the tutor sends to this contact. */
export async function getContactReminders(
  context: Context,
  tx: Tx,
  { tutorId, contactId, signInAddress }: SignedInContact,
): Promise<{ reminders: PortalReminder[]; reminderLead: number | null }> {
  const contact = await getContact(context, tx, tutorId, contactId);
  const { email, phone, familyId, receivesNoteEmails } = contact;
  const settings = await getSettings(tx, tutorId);
  const lessonReminders =
    settings.enabledAt === null ? [] : selectLessonReminders(contact.students, settings);
  const byEmail = lessonReminders.filter(({ channels }) => channels.includes('email'));
  const reminders: PortalReminder[] = [];
  if (email !== null) {
    const stopped = await findStoppedKinds(tx, tutorId, email);
    const add = (kind: (typeof stopped)[number]) =>
      reminders.push({ kind, isOn: !stopped.includes(kind), canChange: true });
    if (byEmail.length > 0) add('lesson_reminder');
    if (familyId !== null) add('payment_reminder');
    if (receivesNoteEmails) add('lesson_notes');
  }
  const usesWhatsApp =
    lessonReminders.some(({ channels }) => channels.includes('whatsapp')) ||
    (familyId !== null && settings.overdueEnabled && settings.channels.includes('whatsapp'));
  const number = phone === null ? null : toE164(phone);
  // Anyone can enter a number, so a number shared with others must be verified by the contact's sign-in.
  const mayChange = number !== null && (!contact.isPhoneShared || number === toE164(signInAddress));
  if (usesWhatsApp && mayChange && context.whatsApp && (await canSendEmail(tx, tutorId))) {
    const hasConsented = (await findConsentedNumbers(tx, tutorId, [number])).size > 0;
    const hasStopped = await hasOptedOut(tx, number);
    reminders.push({
      kind: 'whatsapp',
      isOn: hasConsented && !hasStopped,
      canChange: !hasStopped,
    });
  }
  return { reminders, reminderLead: findCommonLeadTime(byEmail) };
}

async function getContact(
  context: Context,
  tx: Tx,
  tutorId: string,
  contactId: number,
): Promise<ContactReminderRow> {
  const now = context.clock.now();
  const [contact] = await contactReminders(tx, tutorId, contactId, now).execute();
  if (!contact) throw new Error('No such contact');
  return contact;
}

/** Turns a reminder on or off and notifies the tutor. Idempotent. */
export async function setContactReminder(
  context: Context,
  tx: Tx,
  signedIn: SignedInContact,
  { kind, isOn }: PortalReminderInput,
): Promise<void> {
  const { tutorId, contactId } = signedIn;
  const { reminders } = await getContactReminders(context, tx, signedIn);
  const current = reminders.find((reminder) => reminder.kind === kind);
  if (!current)
    throw new AppError('conflict', "Your tutor doesn't send you these reminders at the moment.");
  if (current.isOn === isOn) return;
  if (!current.canChange)
    throw new AppError('conflict', 'You replied STOP. Reply START in WhatsApp to get them again.');
  const contact = await getContact(context, tx, tutorId, contactId);
  if (kind === 'whatsapp')
    return setWhatsAppConsent(context, tx, tutorId, { ...contact, contactId }, isOn);
  const { name, familyId } = contact;
  const email = contact.email as string;
  const recipient = { key: `contact ${contactId}`, name, email, familyId };
  const others = (await findStoppedKinds(tx, tutorId, email)).filter((each) => each !== kind);
  return replaceStoppedKinds(context, tx, tutorId, recipient, isOn ? others : [...others, kind]);
}

async function setWhatsAppConsent(
  context: Context,
  tx: Tx,
  tutorId: string,
  { contactId, name, phone, familyId }: ContactReminderRow & { contactId: number },
  isOn: boolean,
): Promise<void> {
  const now = context.clock.now();
  const address = toE164(phone ?? '') ?? '';
  if (isOn) await saveConsent(tx, tutorId, { address, name, wording: CONSENT_WORDING, now });
  else await endConsent(tx, tutorId, address, now);
  const today = dateInZone(await getTimeZone(tx, tutorId), now);
  await notify(context, tx, tutorId, {
    kind: 'reminders_stopped',
    // At most one notification a day for each choice, even if the person changes it repeatedly.
    dedupeKey: `whatsapp contact ${contactId} ${isOn} ${today}`,
    text: isOn
      ? `${name} agreed to get reminders by WhatsApp.`
      : `${name} has turned off reminders by WhatsApp.`,
    path: familyId === null ? null : `/families/${familyId}`,
    requiresAction: false,
  });
}

/**
 * Applies the person's opt-outs to their new address. Opt-outs and consents for the old address end, unless someone else has
 * that address.
 */
export async function updateReminderAddress(
  context: Context,
  tx: Tx,
  tutorId: string,
  { field, from, to }: { field: 'email' | 'phone'; from: string | null; to: string },
): Promise<void> {
  if (from === null) return;
  if (field === 'email') {
    await copyOptOuts(tx, tutorId, from, to);
    await deleteUnusedOptOuts(tx, tutorId, from);
  } else {
    const number = toE164(from);
    if (number !== null) await endUnusedConsent(tx, tutorId, number, context.clock.now());
  }
}
