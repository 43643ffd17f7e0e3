import { accounts } from '@lessonbook/contract/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createDemoTutor, DEMO_CREDENTIALS } from './service/create-and-replace-demo-account.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ DEMO_ACCOUNT: 'yes' });
  await createDemoTutor(app.context);
});
afterAll(() => app.close());

describe('the demo account', () => {
  test('is offered on the login page only when it is enabled', async () => {
    expect((await app.browser().call(accounts.signInOptions)).body).toMatchObject({
      demo: DEMO_CREDENTIALS,
    });
    const withoutDemo = await startTestApp();
    expect((await withoutDemo.browser().call(accounts.signInOptions)).body).toMatchObject({
      demo: null,
    });
    await withoutDemo.close();
  });

  test('sends no email, and its email address cannot be changed', async () => {
    const browser = app.browser();
    const login = await browser.call(accounts.login, { body: { ...DEMO_CREDENTIALS } });
    const change = { name: login.body.name, email: 'visitor@example.com' };
    expect((await browser.call(accounts.updateMe, { body: change })).status).toBe(403);
    await app
      .browser()
      .call(accounts.forgotPassword, { body: { account: DEMO_CREDENTIALS.username } });
    await browser.call(accounts.resendVerification);
    const tokens = await app.context.db.global.selectFrom('email_tokens').selectAll().execute();
    expect(tokens).toEqual([]);
    expect(app.mailbox.emails()).toEqual([]);
  });
});
