import type { AuditAction } from '@lessonbook/contract/audit';
import { type Currency, formatMoney } from '@lessonbook/contract/money';

type Metadata = Readonly<Record<string, string | number>>;

const formatAmount = ({ amount, currency }: Metadata): string =>
  formatMoney(Math.abs(Number(amount)), currency as Currency, 'en-GB');

const formatDate = (date: unknown): string =>
  new Date(String(date)).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

const pluralize = (count: unknown, singular: string): string =>
  `${Number(count)} ${singular}${Number(count) === 1 ? '' : 's'}`;

/** '1 student was', '12 students were' */
const pluralizeWere = (count: unknown, singular: string): string =>
  `${pluralize(count, singular)} ${Number(count) === 1 ? 'was' : 'were'}`;

const ACTION_TEXTS: Record<AuditAction, (metadata: Metadata) => string> = {
  login: () => 'You logged in.',
  failed_logins: ({ count }) => `${pluralize(count, 'failed login attempt')} (wrong password).`,
  logins_ended: ({ scope }) =>
    scope === 'one' ? 'A browser was logged out.' : 'All other browsers were logged out.',
  password_changed: () => 'The password was changed.',
  password_reset: () =>
    'A new password was chosen with an emailed link. All browsers were logged out.',
  email_changed: () => 'The email address was changed.',
  email_reverted: () => 'The earlier email address was restored. All browsers were logged out.',
  google_linked: () => 'Sign-in with Google was added.',
  google_unlinked: () => 'Sign-in with Google was removed.',
  second_factor_enabled: () => 'The authenticator app was turned on.',
  second_factor_disabled: () => 'The authenticator app was turned off.',
  passkey_added: () => 'A passkey was added.',
  passkey_removed: () => 'A passkey was removed.',
  recovery_code_used: () => 'A recovery code was used.',
  recovery_codes_regenerated: () => 'New recovery codes were created.',
  mfa_removal_requested: () => 'The removal of two-step login was requested.',
  mfa_removal_cancelled: () => 'The removal of two-step login was cancelled.',
  mfa_removed: () => 'Two-step login was removed as requested. All browsers were logged out.',
  calendar_connected: () => 'Google Calendar was connected.',
  calendar_disconnected: () => 'Google Calendar was disconnected.',
  cards_connected: () => 'Card payments were connected.',
  feed_shown: () => 'The calendar address was shown.',
  feed_replaced: () => 'The calendar address was replaced.',
  bank_details_changed: () => 'The bank details were changed.',
  business_details_changed: () => 'The business details on invoices were changed.',
  message_texts_changed: () => 'The message templates were changed.',
  link_replaced: ({ number }) =>
    number ? `The link to ${number} was replaced.` : "A family's payment link was replaced.",
  prices_raised: ({ prices, from }) =>
    `${pluralize(prices, 'price rise')} saved, starting on ${formatDate(from)}.`,
  students_left: ({ students, cancelled, from }) =>
    `${pluralize(students, 'student')} left after ${formatDate(from)}, and ${pluralizeWere(cancelled, 'lesson')} cancelled.`,
  days_changed: ({ change, lessons, from }) =>
    `${pluralizeWere(lessons, 'lesson')} ${change === 'online' ? 'moved online' : 'cancelled'} together, from ${formatDate(from)}.`,
  days_change_undone: ({ lessons }) =>
    `${pluralizeWere(lessons, 'lesson')} restored when a change to whole days was undone.`,
  not_arrived_sent: ({ students }) =>
    `A message was written to say that ${pluralize(students, 'student')} hadn't arrived.`,
  invoice_voided: ({ number }) => `Invoice ${number} was voided.`,
  payment_reversed: (metadata) => `A payment of ${formatAmount(metadata)} was reversed.`,
  payment_refunded: (metadata) => `${formatAmount(metadata)} was refunded.`,
  charges_written_off: (metadata) => `${formatAmount(metadata)} was written off.`,
  write_off_reversed: (metadata) => `A write-off of ${formatAmount(metadata)} was reversed.`,
  instalments_agreed: (metadata) =>
    `${pluralizeWere(metadata['count'], 'instalment')} agreed for ${formatAmount(metadata)}.`,
  instalments_ended: (metadata) =>
    `An instalment plan with ${formatAmount(metadata)} left to pay was ended.`,
  export_requested: () => 'An export of all data was requested.',
  export_downloaded: () => 'The export of all data was downloaded.',
  students_imported: ({ count }) => `${pluralizeWere(count, 'student')} imported from a file.`,
  lessons_imported: ({ count }) => `${pluralizeWere(count, 'lesson')} imported from a file.`,
  contact_access_changed: () => "A contact's permissions were changed.",
  note_withdrawn: () => 'A shared note was withdrawn.',
  note_readers_changed: () => "The list of people who can read a student's notes was changed.",
  portal_opened: () => 'The family portal was opened.',
  portal_closed: () => 'The family portal was closed. All families were signed out.',
  contact_suspended: () => 'A contact was suspended from the family portal.',
  move_requested_by_family: () => 'A family asked to move a lesson in the family portal.',
  charge_queried_by_family: () => 'A family asked about a charge in the family portal.',
  contact_changed_by_family: ({ field }) =>
    `A contact changed their ${field === 'email' ? 'email address' : 'phone number'} in the family portal.`,
  agreement_published: ({ version }) => `Version ${version} of your agreement was published.`,
  agreement_accepted_by_family: ({ version }) =>
    `A contact accepted version ${version} of your agreement in the family portal.`,
  lesson_moved_by_family: () =>
    'A family accepted a time that you suggested, and the lesson was moved.',
  contact_unsuspended: () => 'A contact was allowed to use the family portal again.',
  lessons_cancelled_by_family: ({ lessons }) =>
    lessons === 1
      ? 'A family cancelled a lesson in the family portal.'
      : `A family cancelled ${lessons} lessons in the family portal.`,
  contact_signed_out: () => 'A contact was signed out of the family portal.',
  payers_changed: () => "A student's payers were changed.",
  person_erased: ({ kind }) =>
    `A ${kind === 'carer' ? 'carer' : 'student'} was permanently erased.`,
  deletion_requested: () => 'The deletion of this account was requested.',
  deletion_cancelled: () => 'The deletion of this account was cancelled.',
  data_restored: () => 'Your account was restored from a backup. All browsers were logged out.',
};

export const formatAuditAction = (action: AuditAction, metadata: Metadata): string =>
  ACTION_TEXTS[action](metadata);

/** For example 'Firefox on Windows, 203.0.113.x'. */
export function formatOrigin(device: string | null, network: string | null): string | null {
  const known = [device, network].filter((part) => part !== null);
  return known.length > 0 ? known.join(', ') : null;
}
