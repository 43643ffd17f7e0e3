import { accounts } from '@lessonbook/contract/accounts';
import { googleSignIn } from '@lessonbook/contract/google-sign-in';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import {
  createGoogleTicket,
  type GoogleLoginTestApp,
  type GoogleUser,
  loginWithGoogle,
  newGoogleUser,
  startGoogleLoginTestApp,
} from '../../test/google-login-test-app.ts';
import { createTutor, createVerifiedTutor, PASSWORD, readMailedToken } from '../../test/tutor.ts';

let app: GoogleLoginTestApp;
beforeAll(async () => {
  app = await startGoogleLoginTestApp({ DEMO_ACCOUNT: 'yes' });
});
afterAll(() => app.close());

const link = (browser: Browser, credential: string, password = PASSWORD) =>
  browser.call(googleSignIn.link, { body: { credential, password } });

/** A browser whose ticket has come to an account that wants its password. */
async function asked(person: GoogleUser) {
  const { browser, credential, comeIn } = await createGoogleTicket(app, person);
  const answer = await comeIn();
  expect([answer.status, answer.error.code]).toEqual([409, 'password_needed']);
  expect((await browser.call(accounts.me)).status).toBe(401);
  return { browser, credential };
}

async function identitiesOf(email: string): Promise<number> {
  const { rows } = await app.admin.query<{ count: string }>(
    'select count(*) from identities join login_directory using (tutor_id) where email = $1',
    [email],
  );
  return Number(rows[0]?.count);
}

const toldAbout = (email: string) =>
  app.mailbox.waitFor(
    (mail) => mail.to.includes(email) && mail.subject.startsWith('Google sign-in was connected'),
  );

describe('by itself', () => {
  test.each([
    ['an address at Gmail', (name: string) => ({ email: `${name}@gmail.com` })],
    [
      'a verified address that Google runs for a school',
      (name: string) => ({ email: `${name}@school.example`, hd: 'school.example' }),
    ],
  ])('%s, confirmed here too, is linked: the owner is told and other logins end', async (_, at) => {
    const person = newGoogleUser(at(`linked${_.length}`));
    const owner = await createVerifiedTutor(app, { email: person.email, name: 'Ada First' });
    const { browser, answer } = await loginWithGoogle(app, person);
    expect(answer.status).toBe(200);
    expect(answer.body.name).toBe('Ada First');
    expect((await browser.call(accounts.me)).status).toBe(200);
    expect((await owner.browser.call(accounts.me)).status).toBe(401);
    const mail = await toldAbout(person.email);
    expect(mail.text).toContain('/forgot-password');
    expect(mail.text).not.toContain('Ada');
    // The password still works, and Google from now on without a word.
    const login = { username: owner.input.username, password: PASSWORD };
    expect((await app.browser().call(accounts.login, { body: login })).status).toBe(200);
    expect((await loginWithGoogle(app, person)).answer.body.id).toBe(answer.body.id);
  });

  test('the owner is told once, however often the job runs', async () => {
    const person = newGoogleUser();
    await createVerifiedTutor(app, { email: person.email });
    await loginWithGoogle(app, person);
    await toldAbout(person.email);
    const { rows } = await app.admin.query<{ id: string; owner_notified_at: Date | null }>(
      'select id, owner_notified_at from identities join login_directory using (tutor_id) where email = $1',
      [person.email],
    );
    await expect
      .poll(async () => {
        const told = await app.admin.query(
          'select 1 from identities where id = $1 and owner_notified_at is not null',
          [rows[0]?.id],
        );
        return told.rowCount;
      })
      .toBe(1);
    const { sendGoogleLinkedEmail } = await import('./service/email/account-email.ts');
    await sendGoogleLinkedEmail(app.context, rows[0]?.id ?? '');
    const mails = app.mailbox
      .mails()
      .filter((mail) => mail.to.includes(person.email) && mail.subject.startsWith('Google'));
    expect(mails).toHaveLength(1);
  });

  test('letter case makes no second account', async () => {
    const person = newGoogleUser({ email: 'Case.Of.Letters@Gmail.com' });
    const owner = await createVerifiedTutor(app, { email: 'case.of.letters@gmail.com' });
    expect((await loginWithGoogle(app, person)).answer.body.username).toBe(owner.input.username);
  });

  test('two Google accounts with one address at the same moment: one is linked, the other must ask', async () => {
    const email = 'two.at.once@gmail.com';
    await createVerifiedTutor(app, { email });
    const tickets = await Promise.all(
      ['901', '902'].map((sub) => createGoogleTicket(app, newGoogleUser({ email, sub }))),
    );
    const answers = await Promise.all(tickets.map(({ comeIn }) => comeIn()));
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await identitiesOf(email)).toBe(1);
  });
});

describe('only by the password', () => {
  test.each([
    ['Google does not run the mailbox', { email: 'p1@families.example' }],
    [
      'Google has not verified it',
      { email: 'p2@school.example', hd: 'school.example', verified: false },
    ],
    ['there is no school behind it', { email: 'p3@school.example', verified: true }],
    ['it only looks like Gmail', { email: 'p4@gmail.com.evil.example' }],
    ['it only ends like Gmail', { email: 'p5@notgmail.com' }],
  ])('where %s', async (_, at) => {
    const person = newGoogleUser(at);
    const owner = await createVerifiedTutor(app, { email: person.email });
    const { browser, credential } = await asked(person);
    expect(await identitiesOf(person.email)).toBe(0);
    expect((await owner.browser.call(accounts.me)).status).toBe(200);
    const wrong = await link(browser, credential, 'not the password');
    expect([wrong.status, wrong.error.message]).toEqual([
      401,
      'That is not the password of this account',
    ]);
    const right = await link(browser, credential);
    expect(right.body.username).toBe(owner.input.username);
    expect((await browser.call(accounts.me)).status).toBe(200);
    expect((await owner.browser.call(accounts.me)).status).toBe(401);
    await toldAbout(person.email);
  });

  test('[T03] an account that was registered beforehand with somebody else’s address is never handed over, nor its thief let in', async () => {
    const person = newGoogleUser({ email: 'victim@gmail.com' });
    const thief = await createTutor(app, { email: person.email });
    const { browser, credential } = await asked(person);
    expect((await link(browser, credential, 'a guess')).status).toBe(401);
    expect(await identitiesOf(person.email)).toBe(0);
    // The owner of the mailbox gets the account by mail; the thief is out, and Google opens it from then on.
    await browser.call(accounts.forgotPassword, { body: { account: person.email } });
    const token = await readMailedToken(app, person.email, 'reset-password');
    await browser.call(accounts.resetPassword, { body: { token, password: 'mine from now' } });
    expect((await thief.browser.call(accounts.me)).status).toBe(401);
    expect((await loginWithGoogle(app, person)).answer.status).toBe(200);
  });

  test('with the password an account that was not confirmed is linked, and confirmed where Google runs the mailbox', async () => {
    const gmail = newGoogleUser();
    await createTutor(app, { email: gmail.email });
    const one = await asked(gmail);
    expect((await link(one.browser, one.credential)).body.emailVerified).toBe(true);
    const other = newGoogleUser({ email: 'unconfirmed@families.example' });
    await createTutor(app, { email: other.email });
    const two = await asked(other);
    expect((await link(two.browser, two.credential)).body.emailVerified).toBe(false);
  });

  test('a Google account with an address of others that came first loses the book when the owner resets it', async () => {
    const squatter = newGoogleUser({
      email: 'squatted@families.example',
      sub: '5001',
      verified: false,
    });
    const first = await loginWithGoogle(app, squatter);
    expect(first.answer.body.emailVerified).toBe(false);
    await app.browser().call(accounts.forgotPassword, { body: { account: squatter.email } });
    const token = await readMailedToken(app, squatter.email, 'reset-password');
    await app
      .browser()
      .call(accounts.resetPassword, { body: { token, password: 'mine from now' } });
    expect((await first.browser.call(accounts.me)).status).toBe(401);
    expect((await loginWithGoogle(app, squatter)).answer.error.code).toBe('password_needed');
  });

  test('an account without a password cannot be linked by an empty or any other one', async () => {
    await loginWithGoogle(app, newGoogleUser({ email: 'no.password@gmail.com', sub: '6001' }));
    const { browser, credential } = await asked(
      newGoogleUser({ email: 'no.password@gmail.com', sub: '6002' }),
    );
    expect((await link(browser, credential, '')).status).toBe(400);
    expect((await link(browser, credential, 'null')).status).toBe(401);
  });

  test('the demo account, whose password everyone knows, is never linked', async () => {
    const { createDemoTutor } = await import('./service/demo-account.ts');
    await createDemoTutor(app.context);
    const person = newGoogleUser({ email: 'demo@lessonbook.example', hd: 'lessonbook.example' });
    const { browser, credential, comeIn } = await createGoogleTicket(app, person);
    const answer = await comeIn();
    expect([answer.status, answer.error.message]).toEqual([409, 'That email is already in use']);
    expect((await link(browser, credential, 'demo1234')).status).toBe(410);
    expect(await identitiesOf(person.email)).toBe(0);
  });

  test('a ticket for linking signs nobody in, and one for signing in links nothing', async () => {
    const person = newGoogleUser({ email: 'kinds@families.example' });
    await createVerifiedTutor(app, { email: person.email });
    const fresh = await createGoogleTicket(app, person);
    expect((await link(fresh.browser, fresh.credential)).status).toBe(410);
    expect((await fresh.comeIn()).error.code).toBe('password_needed');
    expect((await fresh.comeIn()).status).toBe(410);
    expect((await link(fresh.browser, fresh.credential)).status).toBe(200);
    expect((await link(fresh.browser, fresh.credential)).status).toBe(410);
  });

  test('another browser cannot use it, even with the right password', async () => {
    const person = newGoogleUser({ email: 'elsewhere@families.example' });
    await createVerifiedTutor(app, { email: person.email });
    const { credential } = await asked(person);
    expect((await link(app.browser(), credential)).status).toBe(410);
    const other = await createGoogleTicket(app);
    expect((await link(other.browser, credential)).status).toBe(410);
  });

  test('ten minutes are enough to find the password, and no more', async () => {
    const person = newGoogleUser({ email: 'slow@families.example' });
    await createVerifiedTutor(app, { email: person.email });
    const slow = await asked(person);
    app.clock.forward({ minutes: 10 });
    const late = await link(slow.browser, slow.credential);
    await app.restartClock();
    expect(late.status).toBe(410);
  });

  test('of eight tries with the right password at the same moment one links', async () => {
    const person = newGoogleUser({ email: 'eight@families.example' });
    await createVerifiedTutor(app, { email: person.email });
    const { browser, credential } = await asked(person);
    const answers = await Promise.all(Array.from({ length: 8 }, () => link(browser, credential)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(await identitiesOf(person.email)).toBe(1);
  });
});
