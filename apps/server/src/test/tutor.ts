import { accounts, type SignupInput } from '@lessonbook/contract/accounts';
import { security } from '@lessonbook/contract/security';
import type { EmailTokenPurpose } from '../domains/accounts/rules/expirations.ts';
import type { Browser } from './browser-client.ts';
import type { TestApp } from './test-app.ts';

/** The internal tutor id, which the API never returns. */
export async function findTutorId(
  app: TestApp,
  input: Pick<SignupInput, 'username'>,
): Promise<string> {
  const { tutor_id: tutorId } = await app.context.db.global
    .selectFrom('login_directory')
    .where('username', '=', input.username)
    .select('tutor_id')
    .executeTakeFirstOrThrow();
  return tutorId;
}

let count = 0;

export const PASSWORD = 'correct horse';

/** Signup fields with a unique username and email address. */
export function newSignupInput(change: Partial<SignupInput> = {}): SignupInput {
  count += 1;
  return {
    name: 'Ada Fenwick',
    email: `ada${count}@example.com`,
    username: `ada${count}`,
    password: PASSWORD,
    timeZone: 'Europe/London',
    ...change,
  };
}

/** Signs up a new tutor and returns the signed-in browser. */
export async function createTutor(
  app: Pick<TestApp, 'browser'>,
  change: Partial<SignupInput> = {},
): Promise<{ browser: Browser; input: SignupInput }> {
  const input = newSignupInput(change);
  const browser = app.browser();
  const signup = await browser.call(accounts.signup, { body: input });
  if (signup.status !== 201)
    throw new Error(`signup returned ${signup.status}: ${signup.error.message}`);
  const login = await browser.call(accounts.login, {
    body: { username: input.username, password: input.password },
  });
  if (login.status !== 200)
    throw new Error(`login returned ${login.status}: ${login.error.message}`);
  return { browser, input };
}

/** Signs up a new tutor and verifies the address, so that the tutor can send messages to families. */
export async function createVerifiedTutor(
  app: Pick<TestApp, 'browser' | 'mailbox'>,
  change: Partial<SignupInput> = {},
): Promise<{ browser: Browser; input: SignupInput }> {
  const { browser, input } = await createTutor(app, change);
  const token = await readTokenFromEmail(app, input.email, 'verify-email');
  await browser.call(accounts.confirmEmail, { body: { token } });
  return { browser, input };
}

/** Confirms the password, for requests with `requires: 'recent-auth'` after the clock was advanced. */
export async function reauthenticate(browser: Browser, password = PASSWORD): Promise<void> {
  const response = await browser.call(security.reauthenticateWithPassword, { body: { password } });
  if (response.status !== 200)
    throw new Error(`reauthenticating returned ${response.status}: ${response.error.message}`);
}

/** Waits for an email with this kind of link and returns the token. */
export async function readTokenFromEmail(
  app: Pick<TestApp, 'mailbox'>,
  address: string,
  kind: EmailTokenPurpose,
): Promise<string> {
  const pattern = new RegExp(`/${kind}/([\\w-]+)`);
  const mail = await app.mailbox.waitFor(
    (each) => each.to.some((to) => to === address) && pattern.test(each.text ?? ''),
  );
  const token = pattern.exec(mail.text ?? '')?.[1];
  if (!token) throw new Error('the email has no link');
  return token;
}
