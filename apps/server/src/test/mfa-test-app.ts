import { accounts, type SignupInput } from '@lessonbook/contract/accounts';
import { mfa } from '@lessonbook/contract/mfa';
import { Secret, TOTP } from 'otpauth';
import type { Browser } from './browser.ts';
import { PasskeyDevice } from './passkey-device.ts';
import { startTestApp, type TestApp } from './test-app.ts';
import { createVerifiedTutor } from './tutor.ts';

/** What an authenticator app shows that has read the picture. */
export const generateTotpCode = (secret: string, now: Date): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() });

const ORIGIN = 'http://localhost:1';

/** A house that offers both kinds of second factor. */
export const startMfaTestApp = (environment: Record<string, string> = {}): Promise<TestApp> =>
  startTestApp({
    APP_URL: ORIGIN,
    SEALING_KEYS: `one:${Buffer.alloc(32, 7).toString('base64')}`,
    RATE_LIMIT_FACTOR: '100',
    ...environment,
  });

export interface MfaTutor {
  browser: Browser;
  input: SignupInput;
  secret: string;
  recoveryCodes: string[];
}

/** A tutor whose logins ask for a code. The half minute of the first code has passed. */
export async function createTutorWithTotp(
  app: Pick<TestApp, 'browser' | 'mailbox' | 'clock'>,
  change: Partial<SignupInput> = {},
): Promise<MfaTutor> {
  const { browser, input } = await createVerifiedTutor(app, change);
  const { secret } = (await browser.call(mfa.startAuthenticatorSetup)).body;
  const code = generateTotpCode(secret, app.clock.now());
  const on = await browser.call(mfa.turnOnAuthenticator, { body: { code } });
  if (on.status !== 200) throw new Error(`turning it on answered ${on.status}`);
  app.clock.forward({ minutes: 1 });
  return { browser, input, secret, recoveryCodes: on.body.recoveryCodes };
}

export async function addPasskey(
  browser: Browser,
  name = 'Phone',
  device = new PasskeyDevice(ORIGIN),
) {
  const { options } = (await browser.call(mfa.passkeyRegistrationOptions)).body;
  const answer = device.register(options);
  const added = await browser.call(mfa.addPasskey, { body: { name, response: answer } });
  return { device, added };
}

/** A new browser in which the password was given. */
export async function loginWithPassword(app: TestApp, { username, password }: SignupInput) {
  const browser = app.browser();
  const answer = await browser.call(accounts.login, { body: { username, password } });
  return { browser, answer };
}
