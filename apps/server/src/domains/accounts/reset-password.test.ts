import { accounts } from '@lessonbook/contract/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createTutor, readMailedToken } from '../../test/tutor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

const NEW = 'a brand new one';

async function forgotten(account: string, email: string): Promise<string> {
  await app.browser().call(accounts.forgotPassword, { body: { account } });
  return readMailedToken(app, email, 'reset-password');
}

describe('resetting the password', () => {
  test('[V6.4.3] by the mailed link: the new one works, the old one does not, and every login ends', async () => {
    const { browser, input } = await createTutor(app);
    const token = await forgotten(input.username, input.email);
    const answer = await app
      .browser()
      .call(accounts.resetPassword, { body: { token, password: NEW } });
    expect(answer.status).toBe(200);
    expect((await browser.call(accounts.me)).status).toBe(401);
    const log = (password: string) =>
      app.browser().call(accounts.login, { body: { username: input.username, password } });
    expect((await log(input.password)).status).toBe(401);
    expect((await log(NEW)).status).toBe(200);
  });

  test('[T17] says the same of known and unknown names, and sends nothing to unknown ones', async () => {
    const { input } = await createTutor(app);
    const known = await app
      .browser()
      .call(accounts.forgotPassword, { body: { account: input.email } });
    const before = app.mailbox.mails().length;
    const unknown = await app
      .browser()
      .call(accounts.forgotPassword, { body: { account: 'stranger@example.com' } });
    expect(known.status).toBe(202);
    expect(unknown.status).toBe(202);
    expect(unknown.body).toEqual(known.body);
    expect(app.mailbox.mails().filter((mail) => mail.to.includes('stranger@example.com'))).toEqual(
      [],
    );
    expect(before).toBeGreaterThan(0);
  });

  test('[T16] of eight uses of one link at the same moment one succeeds', async () => {
    const { input } = await createTutor(app);
    const token = await forgotten(input.email, input.email);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        app.browser().call(accounts.resetPassword, { body: { token, password: `${NEW} ${n}` } }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  });

  test('[V6.6.2] a newer link ends the older one, and an hour ends any', async () => {
    const { input } = await createTutor(app);
    const older = await forgotten(input.email, input.email);
    app.mailbox.clear();
    const newer = await forgotten(input.email, input.email);
    expect(
      (await app.browser().call(accounts.resetPassword, { body: { token: older, password: NEW } }))
        .status,
    ).toBe(410);
    app.clock.forward({ hours: 1, seconds: 1 });
    expect(
      (await app.browser().call(accounts.resetPassword, { body: { token: newer, password: NEW } }))
        .status,
    ).toBe(410);
    await app.restartClock();
  });

  test('[T17] a link dies with a change of the e-mail address', async () => {
    const { browser, input } = await createTutor(app);
    const email = `moved-${input.email}`;
    const reset = await forgotten(input.email, input.email);
    await browser.call(accounts.updateMe, { body: { name: input.name, email } });
    const verify = await readMailedToken(app, email, 'verify-email');
    await app.browser().call(accounts.confirmEmail, { body: { token: verify } });
    expect(
      (await app.browser().call(accounts.resetPassword, { body: { token: reset, password: NEW } }))
        .status,
    ).toBe(410);
  });

  test('[T03] proves the address, so whoever registered it beforehand is out', async () => {
    const { browser: squatter, input } = await createTutor(app);
    const token = await forgotten(input.email, input.email);
    await app.browser().call(accounts.resetPassword, { body: { token, password: NEW } });
    expect((await squatter.call(accounts.me)).status).toBe(401);
    const owner = await app
      .browser()
      .call(accounts.login, { body: { username: input.email, password: NEW } });
    expect(owner.body.emailVerified).toBe(true);
  });

  test('ends a change of address that a thief had begun', async () => {
    const { browser: thief, input } = await createTutor(app);
    const stolen = `thief-${input.email}`;
    await thief.call(accounts.updateMe, { body: { name: input.name, email: stolen } });
    const verify = await readMailedToken(app, stolen, 'verify-email');
    const token = await forgotten(input.email, input.email);
    await app.browser().call(accounts.resetPassword, { body: { token, password: NEW } });
    const late = await app.browser().call(accounts.confirmEmail, { body: { token: verify } });
    expect(late.status).toBe(410);
    const owner = await app
      .browser()
      .call(accounts.login, { body: { username: input.username, password: NEW } });
    expect(owner.body).toMatchObject({ email: input.email, pendingEmail: null });
  });

  test('a request of a stranger does not change what the tutor sees', async () => {
    const { browser, input } = await createTutor(app);
    const { revision } = (await browser.call(accounts.me)).body;
    await forgotten(input.email, input.email);
    expect((await browser.call(accounts.me)).body.revision).toBe(revision);
  });

  test('[API-50] refuses a short password, and an empty or unknown token', async () => {
    const short = await app
      .browser()
      .call(accounts.resetPassword, { body: { token: 'x', password: 'short' } });
    expect(short.error.message).toBe('Password must be at least 8 characters');
    expect(
      (await app.browser().call(accounts.resetPassword, { body: { token: '', password: NEW } }))
        .status,
    ).toBe(400);
    expect(
      (
        await app
          .browser()
          .call(accounts.resetPassword, { body: { token: 'unknown', password: NEW } })
      ).status,
    ).toBe(410);
  });
});
