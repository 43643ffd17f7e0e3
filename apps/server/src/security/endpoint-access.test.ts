import type { Endpoint } from '@lessonbook/contract/endpoint';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../test/test-app.ts';

/*
 * Every endpoint and what it requires. A new endpoint must be added here. If it moves money, releases data or changes
 * who can log in, it declares `requires: 'recent-auth'`; otherwise the reason is given here.
 */

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Public endpoints, grouped by what protects them instead of a login. */
const PUBLIC: Record<string, string[]> = {
  'Used before the login; attempts are limited.': [
    'GET /api/sign-in-options',
    'POST /api/signup',
    'POST /api/login',
    'GET /api/login/mfa',
    'POST /api/login/mfa',
    'POST /api/login/mfa/passkey-options',
    'POST /api/login/mfa/passkey',
    'POST /api/login/passkey-options',
    'POST /api/login/passkey',
    'GET /api/google/sign-in',
    'GET /api/google/sign-in/callback',
    'GET /api/social-auth/pending',
    'POST /api/social-auth',
  ],
  'Signs a family in with a code sent to their address; attempts are limited.': [
    'GET /api/portal/sign-in-options',
    'POST /api/portal/codes',
    'POST /api/portal/logins',
  ],
  "Requires the account's password.": ['POST /api/social-auth/link'],
  'The link is emailed to the owner, and its token is the credential.': [
    'POST /api/email-verification/confirm',
    'POST /api/password-reset',
    'POST /api/password-reset/confirm',
    'POST /api/email-revert',
    'POST /api/mfa-removal',
    'POST /api/mfa-removal/start',
    'POST /api/mfa-removal/cancel',
  ],
  'For families and calendar apps: the token in the path is the credential.': [
    'GET /api/calendar/feeds/:token.ics',
    'GET /api/portal/feeds/:token.ics',
    'GET /api/pay/:token',
    'GET /api/pay/:token/pdf',
    'POST /api/pay/:token/card',
    'POST /api/pay/:token/transferred',
    'DELETE /api/pay/:token/transferred',
    'GET /api/unsubscribe/:token',
    'POST /api/unsubscribe/:token',
    'GET /api/unsubscribe/:token/reminders',
    'PUT /api/unsubscribe/:token/reminders',
    'POST /api/unsubscribe/:token/report',
    'DELETE /api/unsubscribe/:token/report',
  ],
  'Signed by the vendor.': [
    'POST /api/google/webhooks',
    'POST /api/stripe/webhooks/accounts',
    'POST /api/stripe/webhooks/payments',
    'GET /api/whatsapp/webhooks',
    'POST /api/whatsapp/webhooks',
  ],
};

const RECENT_AUTH = [
  // Data that families see
  'POST /api/settings/portal/open',
  // Where families pay
  'PUT /api/settings/business',
  'PUT /api/settings/reminders',
  'POST /api/stripe-connect/create-account',
  // Data that leaves the application
  'POST /api/exports',
  'GET /api/exports/:id.zip',
  'POST /api/calendar/feed',
  'POST /api/calendar/feed/replace',
  'GET /api/google/auth',
  // Data that is deleted
  'POST /api/people/erase',
  'POST /api/account-deletion',
  // Who can log in
  'PUT /api/me',
  'PUT /api/password',
  'DELETE /api/logins/:id',
  'DELETE /api/logins',
  'POST /api/authenticator',
  'POST /api/authenticator/confirm',
  'DELETE /api/authenticator',
  'POST /api/recovery-codes',
  'POST /api/passkeys/options',
  'POST /api/passkeys',
  'PUT /api/passkeys/:id',
  'DELETE /api/passkeys/:id',
  'DELETE /api/social-auth',
  // Called by the browser before a download
  'GET /api/reauthenticate',
];

/** Changes for which a login is sufficient, grouped by reason. */
const LOGIN_WRITES: Record<string, string[]> = {
  'Proves who the tutor is.': [
    'POST /api/reauthenticate',
    'POST /api/reauthenticate/code',
    'POST /api/reauthenticate/google',
    'POST /api/reauthenticate/passkey-options',
    'POST /api/reauthenticate/passkey',
  ],
  'Only ends access, or undoes a dangerous change.': [
    'POST /api/logout',
    'DELETE /api/google/calendar',
    'DELETE /api/account-deletion',
    'DELETE /api/mfa-removal',
    'POST /api/settings/reminders/stop',
    'POST /api/settings/portal/close',
    'DELETE /api/settings/portal/contacts/:id/browsers',
    'POST /api/whatsapp/consents/withdraw',
  ],
  'Sends an email only to the address that the owner entered after proving their identity.': [
    'POST /api/email-verification',
  ],
  'Only decides whether a person may use what the tutor has allowed them; recorded in the activity log.':
    ['PUT /api/settings/portal/contacts/:id/suspension'],
  'Only hides the reminder to review access.': ['POST /api/access-review/complete'],
  'Security emails are sent regardless of these settings.': ['PUT /api/notification-settings'],
  'Chooses between payment methods that the owner has set up.': [
    'PUT /api/payment-methods/default',
  ],
  'The money goes back to the card that paid; recorded in the activity log.': [
    'POST /api/payments/:id/refund',
  ],
  'Records what has happened elsewhere: no money moves, and it can be reversed.': [
    'POST /api/payments',
    'POST /api/payments/:id/reverse',
    'POST /api/payments/:id/returned',
    'POST /api/charge-queries/:id/answer',
    'POST /api/families/:id/instalments',
    'POST /api/families/:id/instalments/end',
    'POST /api/families/:id/write-offs',
    'POST /api/families/:id/write-offs/reverse',
    'POST /api/families/:id/opening-balance',
    'POST /api/families/:id/charges/:chargeId/reverse',
    'DELETE /api/families/:id/claim',
  ],
  'Invoices show the bank details from the settings.': [
    'POST /api/invoices',
    'POST /api/invoices/bulk',
    'POST /api/invoices/issue',
    'PUT /api/invoices/:id',
    'DELETE /api/invoices/:id',
    'POST /api/invoices/drafts/delete',
    'POST /api/invoices/drafts/restore',
    'POST /api/invoices/:id/void',
    'POST /api/invoices/:id/credit-note',
  ],
  'Ends access through an old link and reveals nothing new to the tutor; recorded in the activity log.':
    ['POST /api/families/:id/link/replace', 'POST /api/invoices/:id/link/replace'],
  'Sends to one family at a time, and the message stays in the message log.': [
    'POST /api/messages/:id/opened',
    'POST /api/messages/:id/settle',
    'POST /api/messages/:id/retry',
    'POST /api/messages/:id/send',
    'POST /api/messages/:id/consent',
    'POST /api/reminders/preview',
    'POST /api/reminders',
    'POST /api/messages/change-notice/preview',
    'POST /api/messages/change-notice',
    'POST /api/sessions/:id/not-arrived',
    'POST /api/invoices/:id/send/preview',
    'POST /api/invoices/:id/send',
    'POST /api/payments/:id/receipt/preview',
    'POST /api/payments/:id/receipt',
    'POST /api/settings/reminders/start',
    'POST /api/settings/reminders/preview',
    'PUT /api/students/:id/reminders',
  ],
  'Each family gets its own message, which stays in the message log; the number per day is limited.':
    [
      'POST /api/messages/custom/preview',
      'POST /api/messages/custom',
      'POST /api/batches',
      'POST /api/batches/preview',
      'POST /api/batches/:id/stop',
      'POST /api/batches/:id/retry',
    ],
  'Everyday work on students and families; access changes are recorded in the activity log.': [
    'POST /api/students',
    'PUT /api/students/:id',
    'DELETE /api/students/:id',
    'POST /api/students/:id/contacts',
    'PUT /api/students/:id/contacts/:contactId',
    'DELETE /api/students/:id/contacts/:contactId',
    'PUT /api/students/:id/payers',
    'PUT /api/students/:id/note-readers',
    'PUT /api/families/:id',
    'POST /api/import/preview',
    'POST /api/import',
  ],
  'Everyday work on lessons.': [
    'PUT /api/settings/cancellation-policy',
    'DELETE /api/settings/cancellation-policy/planned',
    'POST /api/portal-cancellations/:id/waive',
    'POST /api/move-requests/:id/accept',
    'POST /api/move-requests/:id/suggest',
    'POST /api/move-requests/:id/decline',
    'POST /api/sessions/:id/waive-cancellation-fee',
    'POST /api/calendar/external-changes/:id/accept',
    'POST /api/calendar/external-changes/:id/reject',
    'POST /api/lessons',
    'POST /api/lessons/preview',
    'PUT /api/lessons/:id',
    'POST /api/lessons/:id/preview',
    'DELETE /api/lessons/:id',
    'POST /api/lessons/:id/students',
    'DELETE /api/lessons/:id/students/:studentId',
    'PUT /api/rates',
    'DELETE /api/rates/:id',
    'POST /api/price-rises/preview',
    'POST /api/price-rises',
    'POST /api/departures/preview',
    'POST /api/departures',
    'POST /api/day-changes/preview',
    'POST /api/day-changes',
    'POST /api/day-changes/:id/undo',
    'POST /api/sessions/:id/students/:studentId/cancel',
    'POST /api/sessions/:id/students/:studentId/restore',
    'PUT /api/sessions/:id/notes',
    'PUT /api/sessions/:id/students/:studentId/family-note',
    'POST /api/sessions/:id/students/:studentId/family-note/withdraw',
    'PUT /api/sessions/:id/students/:studentId/homework',
    'PUT /api/settings/portal/note-emails',
    'POST /api/settings/agreement/versions',
    'POST /api/settings/agreement/versions/:version/ask',
    'POST /api/sessions/:id/complete',
    'POST /api/sessions/complete',
    'POST /api/sessions/:id/cancel',
    'POST /api/sessions/:id/reschedule',
    'POST /api/sessions/:id/reopen',
    'POST /api/sessions/reopen',
    'POST /api/sessions/:id/undo-reschedule',
    'POST /api/subjects',
    'PUT /api/subjects/:id',
    'DELETE /api/subjects/:id',
    'POST /api/students/:id/status/preview',
    'PUT /api/students/:id/status',
    'POST /api/term-calendars',
    'POST /api/term-calendars/:id/preview',
    'PUT /api/term-calendars/:id',
    'DELETE /api/term-calendars/:id',
    'POST /api/time-off/preview',
    'POST /api/time-off',
    'DELETE /api/time-off/:id',
    'POST /api/notifications/read',
    'POST /api/notifications/done',
  ],
};

/** Data that the pages show after a login. */
const LOGIN_READS = [
  'GET /api/me',
  'GET /api/notification-settings',
  'GET /api/activity',
  'GET /api/settings/business',
  'GET /api/google/calendar/status',
  'GET /api/calendar/external-changes',
  'GET /api/settings/cancellation-policy',
  'GET /api/stripe-connect/status',
  'GET /api/payment-methods/default',
  'GET /api/dashboard',
  'GET /api/onboarding',
  'GET /api/navigation-counts',
  'GET /api/exports/latest',
  'GET /api/families',
  'GET /api/families/:id',
  'GET /api/families/:id/arrears',
  'GET /api/families/:id/queries',
  'GET /api/families/:id/statement.pdf',
  'GET /api/families/:id/reminders',
  'GET /api/balances',
  'GET /api/students/list',
  'GET /api/students/:id',
  'GET /api/students/:id/timeline',
  'GET /api/students/:id/balance',
  'GET /api/students/:id/delete-preview',
  'GET /api/sessions/:id/students/:studentId/cancellation',
  'GET /api/invoices',
  'GET /api/invoices/:id',
  'GET /api/invoices/summary',
  'GET /api/invoices/list.csv',
  'GET /api/invoices/:id/choices',
  'GET /api/invoices/:id.pdf',
  'GET /api/batches',
  'GET /api/batches/:id',
  'GET /api/lessons',
  'GET /api/lessons/:id',
  'GET /api/lessons/:id/delete-preview',
  'GET /api/rates',
  'GET /api/messages',
  'GET /api/messages/:id',
  'GET /api/messages/families-with-lesson',
  'GET /api/messages/outbox',
  'GET /api/messages/pending-notices',
  'GET /api/move-requests',
  'GET /api/reminders/overdue',
  'GET /api/notifications',
  'GET /api/notifications/unread',
  'GET /api/notifications/stream',
  'GET /api/offline-snapshot',
  'GET /api/payments',
  'GET /api/payments/form',
  'GET /api/payments/:id',
  'GET /api/account-deletion',
  'GET /api/people',
  'GET /api/settings/portal',
  'GET /api/settings/agreement',
  'GET /api/settings/portal/contacts',
  'GET /api/settings/portal/contacts/:id/preview',
  'GET /api/settings/portal/contacts/:id/browsers',
  'GET /api/settings/portal/contacts/:id/activity',
  'GET /api/settings/reminders',
  'GET /api/settings/reminders/first-batch',
  'GET /api/students/:id/reminders',
  'GET /api/reports/earnings',
  'GET /api/reports/earnings.csv',
  'GET /api/reports/earnings.pdf',
  'GET /api/reports/lessons',
  'GET /api/reports/lessons.csv',
  'GET /api/reports/lessons/sessions',
  'GET /api/search',
  'GET /api/security',
  'GET /api/logins',
  'GET /api/sessions',
  'GET /api/sessions/by-date/:date',
  'GET /api/sessions/due',
  'GET /api/sessions/:id',
  'GET /api/sessions/:id/cancellation',
  'GET /api/sessions/:id/messages',
  'GET /api/sessions/:id/not-arrived',
  'GET /api/sessions/:id/family-notes',
  'GET /api/sessions/:id/students/:studentId/family-note/versions',
  'GET /api/students/:id/family-notes',
  'GET /api/sessions/:id/students',
  'GET /api/students',
  'GET /api/carers',
  'GET /api/subjects',
  'GET /api/term-calendars',
  'GET /api/time-off',
  'GET /api/day-changes',
  'GET /api/whatsapp/consents',
];

/** GET endpoints that change something, because Google redirects to them. */
const LOGIN_REDIRECTS: Record<string, string> = {
  'GET /api/google/callback':
    'Accepts only a state that the same login received from GET /api/google/auth.',
};

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;
const namesWhere = (matches: (endpoint: Endpoint) => boolean): string[] =>
  app.http.endpoints.filter(matches).map(nameOf).toSorted();

test('[V6.3.4, V8.2.1] only these endpoints are public', () => {
  expect(namesWhere(({ access }) => access === 'public')).toEqual(
    Object.values(PUBLIC).flat().toSorted(),
  );
});

test('only these endpoints accept the login of a family', () => {
  expect(namesWhere(({ access }) => access === 'contact-login' || access === 'contact')).toEqual([
    'DELETE /api/portal/browsers/:id',
    'DELETE /api/portal/login',
    'DELETE /api/portal/tutors/:publicId/accounts/:accountId/queries/:id',
    'DELETE /api/portal/tutors/:publicId/feed',
    'DELETE /api/portal/tutors/:publicId/move-requests/:id',
    'GET /api/portal/browsers',
    'GET /api/portal/login',
    'GET /api/portal/tutors/:publicId/accounts/:accountId/invoices',
    'GET /api/portal/tutors/:publicId/accounts/:accountId/invoices/:invoiceId/pdf',
    'GET /api/portal/tutors/:publicId/accounts/:accountId/statement',
    'GET /api/portal/tutors/:publicId/agreement',
    'GET /api/portal/tutors/:publicId/details',
    'GET /api/portal/tutors/:publicId/feed',
    'GET /api/portal/tutors/:publicId/free-times',
    'GET /api/portal/tutors/:publicId/lessons',
    'GET /api/portal/tutors/:publicId/money',
    'GET /api/portal/tutors/:publicId/notes',
    'POST /api/portal/tutors/:publicId/accounts/:accountId/queries',
    'POST /api/portal/tutors/:publicId/agreement/acceptances',
    'POST /api/portal/tutors/:publicId/cancellations',
    'POST /api/portal/tutors/:publicId/email-codes',
    'POST /api/portal/tutors/:publicId/feed',
    'POST /api/portal/tutors/:publicId/move-requests',
    'POST /api/portal/tutors/:publicId/move-requests/:id/accept',
    'PUT /api/portal/tutors/:publicId/email',
    'PUT /api/portal/tutors/:publicId/homework',
    'PUT /api/portal/tutors/:publicId/phone',
    'PUT /api/portal/tutors/:publicId/reminders',
  ]);
});

test('F30 F31 every endpoint is listed with what it requires, and each change without recent authentication has a reason', () => {
  expect(namesWhere(({ requires }) => requires === 'recent-auth')).toEqual(RECENT_AUTH.toSorted());
  const loginOnly = namesWhere(({ access, requires }) => access === 'login' && !requires);
  expect(loginOnly).toEqual(
    [
      ...LOGIN_READS,
      ...Object.values(LOGIN_WRITES).flat(),
      ...Object.keys(LOGIN_REDIRECTS),
    ].toSorted(),
  );
  expect(LOGIN_READS.filter((name) => !name.startsWith('GET '))).toEqual([]);
});

test('F30 F31 an endpoint that requires recent authentication is not public, and the OpenAPI document marks it', async () => {
  expect(namesWhere(({ access, requires }) => access === 'public' && Boolean(requires))).toEqual(
    [],
  );
  const { body } = await app.browser().send('GET', '/api/openapi.json');
  const { paths } = body as { paths: Record<string, Record<string, { 'x-requires'?: string }>> };
  const documented = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => operation['x-requires'] === 'recent-auth')
      .map(([method]) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
  expect(documented.toSorted()).toEqual(RECENT_AUTH.toSorted());
});
