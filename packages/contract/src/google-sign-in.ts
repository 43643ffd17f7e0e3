import * as z from 'zod/mini';
import { MessageReply, User } from './accounts.ts';
import { defineEndpoints } from './endpoint.ts';

/** The page that starts the Google flow and to which the browser returns. */
export const AuthPage = z.enum(['login', 'signup']);
export type AuthPage = z.infer<typeof AuthPage>;

/** The result of the OAuth callback, passed in the `google` query parameter. */
export type GoogleCallbackResult = 'done' | 'cancelled' | 'busy' | 'failed';

/** The Google identity verified in this browser, with a credential that is valid for one minute. */
const PendingGoogleUser = z.object({
  credential: z.string(),
  name: z.string(),
  email: z.nullable(z.string()),
  providerId: z.string(),
  photoURL: z.nullable(z.string()),
});
export type PendingGoogleUser = z.infer<typeof PendingGoogleUser>;

const credential = z.string().check(z.minLength(1), z.maxLength(200));
const ignoredText = (maxLength: number) =>
  z.optional(z.nullable(z.string().check(z.maxLength(maxLength))));

/**
 * The fields from the specification, and the credential for the identity that the server has verified. Only the
 * credential is used; the other personal details are accepted but ignored.
 */
export const SocialAuthInput = z.object({
  credential,
  name: ignoredText(1000),
  email: ignoredText(1000),
  username: ignoredText(1000),
  providerId: ignoredText(1000),
  photoURL: ignoredText(4000),
  authProvider: z.optional(z.enum(['firebase', 'google'])),
  /** Sent by the browser and used for a new account. */
  timeZone: z.optional(z.string().check(z.maxLength(60))),
});
export type SocialAuthInput = z.infer<typeof SocialAuthInput>;

export const LinkGoogleInput = z.object({
  credential,
  password: z
    .string({ error: 'Password is required' })
    .check(
      z.minLength(1, 'Password is required'),
      z.maxLength(200, "That isn't the password for this account"),
    ),
});
export type LinkGoogleInput = z.infer<typeof LinkGoogleInput>;

const callbackParam = (maxLength: number) => z.optional(z.string().check(z.maxLength(maxLength)));

export const googleSignIn = defineEndpoints({
  start: {
    method: 'GET',
    path: '/api/google/sign-in',
    access: 'public',
    summary: 'Redirect to Google to sign in',
    query: z.object({ from: z._default(AuthPage, 'login') }),
    redirects: true,
    reply: z.null(),
  },
  callback: {
    method: 'GET',
    path: '/api/google/sign-in/callback',
    access: 'public',
    summary: 'OAuth callback for Google sign-in',
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
    summary: 'The Google identity just verified in this browser',
    reply: z.object({ user: z.nullable(PendingGoogleUser) }),
  },
  socialAuth: {
    method: 'POST',
    path: '/api/social-auth',
    access: 'public',
    summary: 'Log in or sign up with the verified Google identity',
    body: SocialAuthInput,
    reply: User,
  },
  link: {
    method: 'POST',
    path: '/api/social-auth/link',
    access: 'public',
    summary: 'Link Google to the account with the same email address; requires its password',
    body: LinkGoogleInput,
    reply: User,
  },
  reauthenticate: {
    method: 'POST',
    path: '/api/reauthenticate/google',
    access: 'login',
    summary:
      'Reauthenticate with the verified Google identity, which must be linked to this account',
    body: z.object({ credential }),
    reply: MessageReply,
  },
});
