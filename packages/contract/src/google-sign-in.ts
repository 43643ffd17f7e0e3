import * as z from 'zod/mini';
import { User } from './accounts.ts';
import { defineEndpoints } from './endpoint.ts';

/** The page that the browser leaves for Google and comes back to. */
export const AuthPage = z.enum(['login', 'signup']);
export type AuthPage = z.infer<typeof AuthPage>;

/** With which word Google's page was left; the browser finds it in the address as `google`. */
export type GoogleCallbackResult = 'done' | 'cancelled' | 'busy' | 'failed';

/** Whom Google has vouched for in this browser, and what stands for it for a minute. */
const PendingGoogleUser = z.object({
  credential: z.string(),
  name: z.string(),
  email: z.nullable(z.string()),
  providerId: z.string(),
  photoURL: z.nullable(z.string()),
});
export type PendingGoogleUser = z.infer<typeof PendingGoogleUser>;

const credential = z.string().check(z.minLength(1), z.maxLength(200));
const ignoredText = (longest: number) =>
  z.optional(z.nullable(z.string().check(z.maxLength(longest))));

/**
 * What the specification sends, and the credential that stands for the identity which the server itself has verified.
 * The credential alone is believed; the other words about a person are taken and not looked at.
 */
export const SocialAuthInput = z.object({
  credential,
  name: ignoredText(1000),
  email: ignoredText(1000),
  username: ignoredText(1000),
  providerId: ignoredText(1000),
  photoURL: ignoredText(4000),
  authProvider: z.optional(z.enum(['firebase', 'google'])),
  /** From the browser, for an account that is made now; it says nothing about who somebody is. */
  timeZone: z.optional(z.string().check(z.maxLength(60))),
});
export type SocialAuthInput = z.infer<typeof SocialAuthInput>;

export const LinkGoogleInput = z.object({
  credential,
  password: z
    .string({ error: 'Password is required' })
    .check(
      z.minLength(1, 'Password is required'),
      z.maxLength(200, 'That is not the password of this account'),
    ),
});
export type LinkGoogleInput = z.infer<typeof LinkGoogleInput>;

const callbackParam = (longest: number) => z.optional(z.string().check(z.maxLength(longest)));

export const googleSignIn = defineEndpoints({
  start: {
    method: 'GET',
    path: '/api/google/sign-in',
    access: 'public',
    summary: 'Send the browser to Google to sign in',
    query: z.object({ from: z._default(AuthPage, 'login') }),
    redirects: true,
    reply: z.null(),
  },
  callback: {
    method: 'GET',
    path: '/api/google/sign-in/callback',
    access: 'public',
    summary: 'Where Google sends the browser back to',
    query: z.object({
      state: callbackParam(500),
      code: callbackParam(4000),
      error: callbackParam(200),
      iss: callbackParam(500),
    }),
    redirects: true,
    reply: z.null(),
  },
  pending: {
    method: 'GET',
    path: '/api/social-auth/pending',
    access: 'public',
    summary: 'Whom Google has just vouched for in this browser',
    reply: z.object({ user: z.nullable(PendingGoogleUser) }),
  },
  socialAuth: {
    method: 'POST',
    path: '/api/social-auth',
    access: 'public',
    summary: 'Log in or sign up as whom Google has vouched for',
    body: SocialAuthInput,
    reply: User,
  },
  link: {
    method: 'POST',
    path: '/api/social-auth/link',
    access: 'public',
    summary: 'Connect Google to the account that has the same e-mail, by its password',
    body: LinkGoogleInput,
    reply: User,
  },
});
