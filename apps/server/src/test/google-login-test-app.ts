import {
  type AuthPage,
  googleSignIn,
  type PendingGoogleUser,
} from '@lessonbook/contract/google-sign-in';
import { type SignInProvider, startSignInProvider } from '@lessonbook/fakes/google-sign-in';
import type { Browser } from './browser.ts';
import { startTestApp, type TestApp } from './test-app.ts';

export interface GoogleLoginTestApp extends TestApp {
  google: SignInProvider;
}

/** The origin of `testEnvironment`, to which Google sends browsers back. */
const CALLBACK = `http://127.0.0.1:1${googleSignIn.callback.path}`;

/** The whole app with a real OpenID provider beside it. */
export async function startGoogleLoginTestApp(
  environment: Record<string, string> = {},
): Promise<GoogleLoginTestApp> {
  const google = await startSignInProvider({ returnTo: [CALLBACK] });
  const app = await startTestApp({
    RATE_LIMIT_FACTOR: '100',
    GOOGLE_SIGN_IN_CLIENT_ID: google.client.id,
    GOOGLE_SIGN_IN_CLIENT_SECRET: google.client.secret,
    GOOGLE_SIGN_IN_ISSUER: google.url,
    ...environment,
  });
  const close = async () => {
    await app.close();
    await google.close();
  };
  return { ...app, google, close };
}

/** Somebody with an account at Google; an address at gmail.com unless told otherwise. */
export interface GoogleUser {
  email?: string;
  name?: string;
  verified?: boolean;
  hd?: string;
  sub?: string;
}

let count = 0;

export function newGoogleUser(change: GoogleUser = {}): GoogleUser & { email: string } {
  count += 1;
  return { email: `grace${count}@gmail.com`, name: 'Grace Quill', verified: true, ...change };
}

/** Sets out from a page of ours; the address at Google to which the browser is sent. */
export async function startGoogleLogin(
  browser: Browser,
  from: AuthPage = 'login',
): Promise<string> {
  const answer = await browser.send('GET', `${googleSignIn.start.path}?from=${from}`);
  if (answer.status !== 303) throw new Error(`the way to Google answered ${answer.status}`);
  return answer.headers.get('location') ?? '';
}

/** What somebody does on Google's page; the path with which the browser is sent back to us. */
export async function chooseGoogleAccount(
  way: string,
  person: GoogleUser | 'cancel',
): Promise<string> {
  const jar = new Map<string, string>();
  const visit = async (url: string, form?: URLSearchParams): Promise<string> => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: form } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = response.headers.get('location');
    if (!location) throw new Error(`${url} answered ${response.status} ${await response.text()}`);
    return new URL(location, url).href;
  };
  const chooser = await visit(way);
  let at = await visit(chooser, toForm(person));
  while (!at.startsWith(CALLBACK)) at = await visit(at);
  return at.slice(new URL(at).origin.length);
}

function toForm(person: GoogleUser | 'cancel'): URLSearchParams {
  if (person === 'cancel') return new URLSearchParams({ choice: 'cancel' });
  const { email = '', name = '', verified = true, hd = '', sub = '' } = person;
  const form = new URLSearchParams({ choice: 'continue', email, name, hd, sub });
  if (verified) form.set('email_verified', 'on');
  return form;
}

/** All the way to Google and back; the page of ours on which the browser ends. */
export async function completeGoogleConsent(
  browser: Browser,
  person: GoogleUser | 'cancel',
  from: AuthPage = 'login',
): Promise<string> {
  const back = await chooseGoogleAccount(await startGoogleLogin(browser, from), person);
  const answer = await browser.send('GET', back);
  return answer.headers.get('location') ?? '';
}

/** Whom Google vouches for in this browser now. */
export async function readPendingGoogleUser(browser: Browser): Promise<PendingGoogleUser> {
  const { body } = await browser.call(googleSignIn.pending);
  if (!body.user) throw new Error('Google vouched for nobody');
  return body.user;
}

/** A browser that Google has vouched for somebody in, and what it would send. */
export async function createGoogleTicket(
  app: GoogleLoginTestApp,
  person: GoogleUser = newGoogleUser(),
) {
  const browser = app.browser();
  await completeGoogleConsent(browser, person);
  const { credential } = await readPendingGoogleUser(browser);
  return { browser, credential, comeIn: () => loginWithCredential(browser, credential) };
}

export const loginWithCredential = (browser: Browser, credential: string) =>
  browser.call(googleSignIn.socialAuth, { body: { credential } });

/** In by Google, all the way. */
export async function loginWithGoogle(
  app: GoogleLoginTestApp,
  person: GoogleUser = newGoogleUser(),
) {
  const { browser, comeIn } = await createGoogleTicket(app, person);
  return { browser, person, answer: await comeIn() };
}
