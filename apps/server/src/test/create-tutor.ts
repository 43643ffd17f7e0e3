import { accounts, type SignupInput } from '@lessonbook/contract/accounts';
import { security } from '@lessonbook/contract/security';
import type pg from 'pg';
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
export function newSignupInput(overrides: Partial<SignupInput> = {}): SignupInput {
  count += 1;
  return {
    name: 'Ada Fenwick',
    email: `ada${count}@example.com`,
    username: `ada${count}`,
    password: PASSWORD,
    timeZone: 'Europe/London',
    ...overrides,
  };
}

/** Signs up a new tutor and returns the signed-in browser. */
export async function createTutor(
  app: Pick<TestApp, 'browser'>,
  overrides: Partial<SignupInput> = {},
): Promise<{ browser: Browser; input: SignupInput }> {
  const input = newSignupInput(overrides);
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

/** Adds payment instructions, which are required before families can be asked to pay. */
export async function addPaymentInstructions(
  { admin }: { admin: Pick<pg.ClientBase, 'query'> },
  { username }: Pick<SignupInput, 'username'>,
): Promise<void> {
  // Not through the API, which sends the tutor an email about the change.
  await admin.query(
    `insert into business_settings (tutor_id, payment_instructions)
     select tutor_id, 'In cash at the lesson' from login_directory where username = $1
     on conflict (tutor_id) do update set payment_instructions = excluded.payment_instructions`,
    [username],
  );
}

/** Signs up a new tutor who can send messages to families: with a verified address and a way to be paid. */
export async function createTutorWhoCanEmailFamilies(
  app: Pick<TestApp, 'browser' | 'mailbox'> & { admin: Pick<pg.ClientBase, 'query'> },
  overrides: Partial<SignupInput> = {},
): Promise<{ browser: Browser; input: SignupInput }> {
  const { browser, input } = await createTutor(app, overrides);
  const token = await readTokenFromEmail(app, input.email, 'verify-email');
  await browser.call(accounts.confirmEmail, { body: { token } });
  await addPaymentInstructions(app, input);
  return { browser, input };
}

/** Confirms the password, for requests with `requires: 'recent-auth'` after the clock has been advanced. */
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
