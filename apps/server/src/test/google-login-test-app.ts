import {
  type AuthPage,
  googleSignIn,
  type PendingGoogleUser,
} from '@lessonbook/contract/google-sign-in';
import { type SignInProvider, startSignInProvider } from '@lessonbook/fakes/google-sign-in';
import type { Browser } from './browser-client.ts';
import { startTestApp, type TestApp } from './test-app.ts';

export interface GoogleLoginTestApp extends TestApp {
  google: SignInProvider;
}

/** The callback URL, with the origin from `testEnvironment`. */
const CALLBACK_URL = `http://127.0.0.1:1${googleSignIn.callback.path}`;

/** Starts the test app with a real OpenID provider. */
export async function startGoogleLoginTestApp(
  environment: Record<string, string> = {},
): Promise<GoogleLoginTestApp> {
  const google = await startSignInProvider({ redirectUris: [CALLBACK_URL] });
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

/** A Google account, by default with a gmail.com address. */
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

/** Starts the login from one of our pages and returns Google's authorization URL. */
export async function startGoogleLogin(
  browser: Browser,
  from: AuthPage = 'login',
): Promise<string> {
  const response = await browser.send('GET', `${googleSignIn.start.path}?from=${from}`);
  if (response.status !== 303) throw new Error(`starting the login returned ${response.status}`);
  return response.headers.get('location') ?? '';
}

/** Chooses an account on Google's page, or cancels, and returns the path of our callback. */
export async function chooseGoogleAccount(
  authUrl: string,
  person: GoogleUser | 'cancel',
): Promise<string> {
  const cookies = new Map<string, string>();
  const visit = async (url: string, form?: URLSearchParams): Promise<string> => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: form } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = response.headers.get('location');
    if (!location) throw new Error(`${url} returned ${response.status} ${await response.text()}`);
    return new URL(location, url).href;
  };
  const accountPage = await visit(authUrl);
  let url = await visit(accountPage, toForm(person));
  while (!url.startsWith(CALLBACK_URL)) url = await visit(url);
  return url.slice(new URL(url).origin.length);
}

function toForm(person: GoogleUser | 'cancel'): URLSearchParams {
  if (person === 'cancel') return new URLSearchParams({ choice: 'cancel' });
  const { email = '', name = '', verified = true, hd = '', sub = '' } = person;
  const form = new URLSearchParams({ choice: 'continue', email, name, hd, sub });
  if (verified) form.set('email_verified', 'on');
  return form;
}

/** Runs the whole redirect flow and returns the page that the callback redirects to. */
export async function completeGoogleConsent(
  browser: Browser,
  person: GoogleUser | 'cancel',
  from: AuthPage = 'login',
): Promise<string> {
  const callback = await chooseGoogleAccount(await startGoogleLogin(browser, from), person);
  const response = await browser.send('GET', callback);
  return response.headers.get('location') ?? '';
}

/** Returns the Google user who is authenticated in this browser but not yet logged in. */
export async function readPendingGoogleUser(browser: Browser): Promise<PendingGoogleUser> {
  const { body } = await browser.call(googleSignIn.pending);
  if (!body.user) throw new Error('there is no pending Google user');
  return body.user;
}

/** Returns a browser that has completed Google's consent, with the credential for the login request. */
export async function createPendingGoogleLogin(
  app: GoogleLoginTestApp,
  person: GoogleUser = newGoogleUser(),
) {
  const browser = app.browser();
  await completeGoogleConsent(browser, person);
  const { credential } = await readPendingGoogleUser(browser);
  return { browser, credential, logIn: () => loginWithCredential(browser, credential) };
}

export const loginWithCredential = (browser: Browser, credential: string) =>
  browser.call(googleSignIn.socialAuth, { body: { credential } });

export async function loginWithGoogle(
  app: GoogleLoginTestApp,
  person: GoogleUser = newGoogleUser(),
) {
  const { browser, logIn } = await createPendingGoogleLogin(app, person);
  return { browser, person, response: await logIn() };
}
