import { accounts } from '@lessonbook/contract/accounts';
import { mfa } from '@lessonbook/contract/mfa';
import { security } from '@lessonbook/contract/security';
import { startLessonbook } from '@lessonbook/test-env/lessonbook';
import pg from 'pg';
import { expect, test } from 'vitest';
import { Browser } from '../../test/browser-client.ts';
import { newSignupInput, PASSWORD } from '../../test/create-tutor.ts';
import { generateTotpCode } from '../../test/mfa-test-app.ts';
import { sharedDatabase } from '../../test/test-app.ts';

test('[V14.2.4, V16.2.5, T22] no password, secret, code, token or email address appears in the logs or in a job payload', async () => {
  const stack = await startLessonbook({
    database: sharedDatabase(),
    cards: false,
    googleSignIn: false,
    env: { LOG_LEVEL: 'debug', ENCRYPTION_KEYS: `one:${Buffer.alloc(32, 7).toString('base64')}` },
  });
  try {
    const browser = new Browser(stack.url, stack.url);
    const input = newSignupInput({ name: 'Grace Canary' });
    const { username } = input;
    await browser.call(accounts.signup, { body: input });
    await browser.call(accounts.login, { body: { username, password: 'a wrong canary' } });
    await browser.call(accounts.login, { body: { username, password: PASSWORD } });
    const mail = await stack.mailbox.waitFor(({ to }) => to.includes(input.email));
    const link = /verify-email\/([\w-]+)/.exec(mail.text)?.[1] ?? '';
    await browser.call(accounts.confirmEmail, { body: { token: link } });
    const { secret } = (await browser.call(mfa.startAuthenticatorSetup)).body;
    const code = generateTotpCode(secret, new Date());
    const response = await browser.call(mfa.turnOnAuthenticator, { body: { code } });
    await browser.call(security.changePassword, { body: { password: 'a new canary' } });
    const mfaBrowser = new Browser(stack.url, stack.url);
    await mfaBrowser.call(accounts.login, { body: { username, password: 'a new canary' } });
    const mfaToken = mfaBrowser.cookies.get('lessonbook-step') ?? '';
    const [usedCode = '', ...unusedCodes] = response.body.recoveryCodes;
    await mfaBrowser.call(mfa.verifyMfaCode, { body: { code: 'canary-wrong-code' } });
    expect((await mfaBrowser.call(mfa.verifyMfaCode, { body: { code: usedCode } })).status).toBe(
      200,
    );
    await stack.mailbox.waitFor(({ subject }) => subject.startsWith('Recovery code used'));

    const admin = new pg.Client(stack.databaseUrls.maintenanceUrl);
    await admin.connect();
    const { rows } = await admin.query('select name, data, output from jobs.job');
    await admin.end();
    const logged = [...stack.apis, ...stack.workers].map((process) => process.output()).join('\n');
    expect(logged).toContain('/api/login');
    expect(rows.length).toBeGreaterThan(3);
    const output = logged + JSON.stringify(rows);
    const canaries = [
      input.email,
      input.name,
      username,
      PASSWORD,
      'canary',
      secret,
      link,
      mfaToken,
      usedCode,
      ...unusedCodes,
      browser.cookies.get('lessonbook') ?? '',
      browser.cookies.get('lessonbook-device') ?? '',
    ];
    expect(canaries.every((canary) => canary.length > 3)).toBe(true);
    expect(canaries.filter((canary) => output.includes(canary))).toEqual([]);
  } finally {
    await stack.stop();
  }
});
