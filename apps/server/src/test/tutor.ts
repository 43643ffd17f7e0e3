import { accounts, type SignupInput } from '@lessonbook/contract/accounts';
import type { Browser } from './browser.ts';
import type { TestApp } from './test-app.ts';

/** Under which id a tutor's rows stand: never on the wire, so a test that looks inside asks the directory. */
export async function findTutorId(app: TestApp, input: SignupInput): Promise<string> {
  const { tutor_id: tutorId } = await app.context.db.global
    .selectFrom('login_directory')
    .where('username', '=', input.username)
    .select('tutor_id')
    .executeTakeFirstOrThrow();
  return tutorId;
}

let count = 0;

export const PASSWORD = 'correct horse';

/** Fields of a sign-up that no other test has used. */
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

/** A signed-in browser of a new tutor. */
export async function createTutor(
  app: Pick<TestApp, 'browser'>,
  change: Partial<SignupInput> = {},
): Promise<{ browser: Browser; input: SignupInput }> {
  const input = newSignupInput(change);
  const browser = app.browser();
  const made = await browser.call(accounts.signup, { body: input });
  if (made.status !== 201)
    throw new Error(`sign-up answered ${made.status}: ${made.error.message}`);
  const login = await browser.call(accounts.login, {
    body: { username: input.username, password: input.password },
  });
  if (login.status !== 200)
    throw new Error(`login answered ${login.status}: ${login.error.message}`);
  return { browser, input };
}

/** The same, whose address is confirmed: who may write to families. */
export async function createVerifiedTutor(
  app: Pick<TestApp, 'browser' | 'mailbox'>,
  change: Partial<SignupInput> = {},
): Promise<{ browser: Browser; input: SignupInput }> {
  const { browser, input } = await createTutor(app, change);
  const token = await readMailedToken(app, input.email, 'verify-email');
  await browser.call(accounts.confirmEmail, { body: { token } });
  return { browser, input };
}

/** The token of the newest link of that kind in the tutor's mailbox. */
export async function readMailedToken(
  app: Pick<TestApp, 'mailbox'>,
  address: string,
  kind: 'verify-email' | 'reset-password',
): Promise<string> {
  const pattern = new RegExp(`/${kind}/([\\w-]+)`);
  const mail = await app.mailbox.waitFor(
    (one) => one.to.some((to) => to === address) && pattern.test(one.text ?? ''),
  );
  const token = pattern.exec(mail.text ?? '')?.[1];
  if (!token) throw new Error('the mail has no link');
  return token;
}
