import { privacy } from '@lessonbook/contract/account-deletion-and-erasure';
import { accounts } from '@lessonbook/contract/accounts';
import { businessSettings } from '@lessonbook/contract/business-settings';
import { calendar } from '@lessonbook/contract/calendar';
import { cards } from '@lessonbook/contract/card-payments';
import { dataExport } from '@lessonbook/contract/data-export';
import { accountRecovery } from '@lessonbook/contract/email-revert-and-mfa-removal';
import type { Endpoint, EndpointArguments } from '@lessonbook/contract/endpoint';
import { mfa } from '@lessonbook/contract/mfa';
import { portalSettings } from '@lessonbook/contract/portal-management';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { security } from '@lessonbook/contract/security';
import type { ApiResponse, Browser } from './browser-client.ts';
import { createExport } from './create-and-download-export.ts';
import { createStudent } from './create-student-and-subject.ts';
import { findTutorId } from './create-tutor.ts';
import { addPasskey, createTutorWithTotp, generateTotpCode } from './mfa-test-app.ts';
import type { TestApp } from './test-app.ts';

export const BANK_DETAILS = {
  accountName: 'A Thief',
  sortCode: '11-22-33',
  accountNumber: '99999999',
};
export const TERMS = { dueDays: 7, invoicePrefix: '', nextInvoiceNumber: 1 };
export const THIEF_EMAIL = 'thief@elsewhere.example';

/** An owner with a second factor, a passkey, an export and two logins; `thief` is the older login. */
export async function createStolenLogin(app: TestApp) {
  const { browser: thief, input, secret } = await createTutorWithTotp(app);
  const { added } = await addPasskey(thief);
  const student = await createStudent(thief, { name: 'Maya Hale', carerName: 'Ruth Hale' });
  const file = await createExport(thief);
  const owner = app.browser();
  const { username, password } = input;
  await owner.call(accounts.login, { body: { username, password } });
  const code = generateTotpCode(secret, app.clock.now());
  await owner.call(mfa.verifyMfaCode, { body: { code } });
  const logins = (await owner.call(security.logins)).body;
  app.clock.advance({ hours: 1 });
  return {
    thief,
    owner,
    input,
    secret,
    tutorId: await findTutorId(app, input),
    student,
    exportId: file.id,
    passkeyId: added.body.passkey.id,
    ownerLoginId: logins.find(({ isCurrent }) => isCurrent)?.id ?? '',
    reminderSettings: (await thief.call(reminders.reminderSettings)).body,
  };
}

type StolenLogin = Awaited<ReturnType<typeof createStolenLogin>>;

interface Attempt {
  aim: string;
  endpoint: Endpoint;
  send: (browser: Browser) => Promise<ApiResponse<unknown>>;
}

const attempt = <E extends Endpoint>(
  aim: string,
  endpoint: E,
  ...input: EndpointArguments<E>
): Attempt => ({ aim, endpoint, send: (browser) => browser.call(endpoint, ...input) });

export const withPaymentReminderText = ({ reminderSettings }: StolenLogin, text: string) => ({
  ...reminderSettings,
  templates: { ...reminderSettings.templates, payment_reminder: { subject: null, text } },
});

export const invalidPasskeyResponse = {
  id: 'x',
  rawId: 'x',
  type: 'public-key' as const,
  response: {},
};

/** Ways to divert money, take data or lock the owner out. */
export const takeoverAttempts = (stolen: StolenLogin): Attempt[] => [
  attempt('have families pay into a different account', businessSettings.saveBusinessSettings, {
    body: { ...TERMS, ...BANK_DETAILS },
  }),
  attempt('print a different account on every invoice', businessSettings.saveBusinessSettings, {
    body: { ...TERMS, invoiceNote: 'New account: 11-22-33 99999999' },
  }),
  attempt('print a different account below the address', businessSettings.saveBusinessSettings, {
    body: { ...TERMS, extra: 'Pay to 11-22-33 99999999' },
  }),
  attempt('name a different account as another way to pay', businessSettings.saveBusinessSettings, {
    body: { ...TERMS, paymentInstructions: 'Pay to 11-22-33 99999999' },
  }),
  attempt('name a different payee', businessSettings.saveBusinessSettings, {
    body: { ...TERMS, tradingName: 'A Thief' },
  }),
  attempt('name a different account in every reminder', reminders.saveReminderSettings, {
    body: withPaymentReminderText(stolen, 'Please pay into 11-22-33 99999999.'),
  }),
  attempt('take card payments with a Stripe account', cards.createCardAccount),
  attempt('open the portal to people on file', portalSettings.openPortal),
  attempt('export everything', dataExport.requestExport),
  attempt('download the export that the owner made', dataExport.downloadExport, {
    params: { id: stolen.exportId },
  }),
  attempt('find out whether a download would work', security.checkRecentAuth),
  attempt('read the schedule through its secret address', calendar.showFeed),
  attempt('replace the address of the schedule', calendar.replaceFeed),
  attempt('send the lessons to a Google calendar', calendar.connectCalendar),
  attempt('erase a student', privacy.erasePerson, {
    body: { kind: 'student', id: stolen.student.id, name: 'Maya Hale' },
  }),
  attempt('delete the account', privacy.scheduleDeletion),
  attempt('choose a different password', security.changePassword, {
    body: { password: 'now it is mine' },
  }),
  attempt('enter a different email address', accounts.updateMe, {
    body: { name: stolen.input.name, email: THIEF_EMAIL },
  }),
  attempt('enter a different name', accounts.updateMe, {
    body: { name: 'A Thief', email: stolen.input.email },
  }),
  attempt("log out the owner's browser", security.revokeLogin, {
    params: { id: stolen.ownerLoginId },
  }),
  attempt('log out all other browsers', security.revokeOtherLogins),
  attempt('set up another authenticator app', mfa.startAuthenticatorSetup),
  attempt('turn on another authenticator app', mfa.turnOnAuthenticator, {
    body: { code: '123456' },
  }),
  attempt('turn off the authenticator app', mfa.turnOffAuthenticator),
  attempt('make new recovery codes', mfa.regenerateRecoveryCodes),
  attempt('start adding a passkey', mfa.passkeyRegistrationOptions),
  attempt('add a passkey', mfa.addPasskey, {
    body: { name: 'Mine', response: invalidPasskeyResponse },
  }),
  attempt('rename the passkey', mfa.renamePasskey, {
    params: { id: stolen.passkeyId },
    body: { name: 'Mine' },
  }),
  attempt('remove the passkey', mfa.removePasskey, { params: { id: stolen.passkeyId } }),
  attempt('disconnect Google sign-in', accountRecovery.unlinkGoogle),
];
