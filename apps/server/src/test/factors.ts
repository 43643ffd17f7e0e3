import { accounts, type SignupInput } from '@lessonbook/contract/accounts';
import { secondFactor } from '@lessonbook/contract/second-factor';
import { codeOf } from './authenticator-app.ts';
import type { Browser } from './browser.ts';
import { type House, openHouse } from './house.ts';
import { PasskeyDevice } from './passkey-device.ts';
import { confirmed } from './tutor.ts';

const ORIGIN = 'http://localhost:1';

/** A house that offers both kinds of second factor. */
export const openGuardedHouse = (environment: Record<string, string> = {}): Promise<House> =>
  openHouse({
    APP_URL: ORIGIN,
    SEALING_KEYS: `one:${Buffer.alloc(32, 7).toString('base64')}`,
    RATE_LIMIT_FACTOR: '100',
    ...environment,
  });

export interface Guarded {
  browser: Browser;
  input: SignupInput;
  secret: string;
  recoveryCodes: string[];
}

/** A tutor whose logins ask for a code. The half minute of the first code has passed. */
export async function withAuthenticator(
  house: Pick<House, 'browser' | 'mailbox' | 'clock'>,
  change: Partial<SignupInput> = {},
): Promise<Guarded> {
  const { browser, input } = await confirmed(house, change);
  const { secret } = (await browser.call(secondFactor.beginAuthenticator)).body;
  const code = codeOf(secret, house.clock.now());
  const on = await browser.call(secondFactor.turnOnAuthenticator, { body: { code } });
  if (on.status !== 200) throw new Error(`turning it on answered ${on.status}`);
  house.clock.forward({ minutes: 1 });
  return { browser, input, secret, recoveryCodes: on.body.recoveryCodes };
}

export async function addPasskeyTo(
  browser: Browser,
  name = 'Phone',
  device = new PasskeyDevice(ORIGIN),
) {
  const { question } = (await browser.call(secondFactor.askToAddPasskey)).body;
  const answer = device.make(question);
  const added = await browser.call(secondFactor.addPasskey, { body: { name, answer } });
  return { device, added };
}

/** A new browser in which the password was given. */
export async function givePassword(house: House, { username, password }: SignupInput) {
  const browser = house.browser();
  const answer = await browser.call(accounts.login, { body: { username, password } });
  return { browser, answer };
}
