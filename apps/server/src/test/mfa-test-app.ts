import { accounts, type SignupInput } from '@lessonbook/contract/accounts';
import { mfa } from '@lessonbook/contract/mfa';
import { Secret, TOTP } from 'otpauth';
import type { Browser } from './browser-client.ts';
import { createTutorWhoCanEmailFamilies } from './create-tutor.ts';
import { PasskeyDevice } from './passkey-device.ts';
import { startTestApp, type TestApp } from './test-app.ts';

/** The code that an authenticator app would show. */
export const generateTotpCode = (secret: string, now: Date): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() });

const ORIGIN = 'http://localhost:1';

/** Starts the test app with TOTP and passkeys enabled. */
export const startMfaTestApp = (environment: Record<string, string> = {}): Promise<TestApp> =>
  startTestApp({
    APP_URL: ORIGIN,
    ENCRYPTION_KEYS: `one:${Buffer.alloc(32, 7).toString('base64')}`,
    RATE_LIMIT_FACTOR: '100',
    ...environment,
  });

export interface MfaTutor {
  browser: Browser;
  input: SignupInput;
  secret: string;
  recoveryCodes: string[];
}

/** Creates a tutor with TOTP enabled, and moves the clock forward so that the first code has expired. */
export async function createTutorWithTotp(
  app: Pick<TestApp, 'browser' | 'mailbox' | 'clock' | 'admin'>,
  overrides: Partial<SignupInput> = {},
): Promise<MfaTutor> {
  const { browser, input } = await createTutorWhoCanEmailFamilies(app, overrides);
  const { secret } = (await browser.call(mfa.startAuthenticatorSetup)).body;
  const code = generateTotpCode(secret, app.clock.now());
  const enabled = await browser.call(mfa.turnOnAuthenticator, { body: { code } });
  if (enabled.status !== 200) throw new Error(`enabling TOTP returned ${enabled.status}`);
  app.clock.advance({ minutes: 1 });
  return { browser, input, secret, recoveryCodes: enabled.body.recoveryCodes };
}

export async function addPasskey(
  browser: Browser,
  name = 'Phone',
  device = new PasskeyDevice(ORIGIN),
) {
  const { options } = (await browser.call(mfa.passkeyRegistrationOptions)).body;
  const response = device.register(options);
  const added = await browser.call(mfa.addPasskey, { body: { name, response } });
  return { device, added };
}

/** Returns a new browser that has completed the password step. */
export async function loginWithPassword(app: TestApp, { username, password }: SignupInput) {
  const browser = app.browser();
  const response = await browser.call(accounts.login, { body: { username, password } });
  return { browser, response };
}
