import * as z from 'zod/mini';
import { MessageReply, newPassword } from './accounts.ts';
import { defineEndpoints } from './endpoint.ts';

export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.nullable(z.string()),
});
export type Passkey = z.infer<typeof Passkey>;

export const SecurityOverview = z.object({
  hasPassword: z.boolean(),
  /** The demo account's password is public, so its security settings cannot be changed. */
  isDemo: z.boolean(),
  passkeysOffered: z.boolean(),
  passkeys: z.array(Passkey),
  authenticatorOffered: z.boolean(),
  authenticatorOn: z.boolean(),
  /** Null if no authenticator app has been set up. */
  authenticatorAddedAt: z.nullable(z.string()),
  recoveryCodesLeft: z.number(),
  /** Null if there are none, or if they were created before this date was recorded. */
  recoveryCodesCreatedAt: z.nullable(z.string()),
  /** When Google sign-in was added; null if it was not. */
  googleLinkedAt: z.nullable(z.string()),
  /** When the calendar feed was first shown; replacing its address keeps the date. Null if there is none. */
  calendarFeedCreatedAt: z.nullable(z.string()),
  /** When Google Calendar was connected; null if it is not. */
  calendarConnectedAt: z.nullable(z.string()),
});
export type SecurityOverview = z.infer<typeof SecurityOverview>;

/** A browser that is logged in. */
export const LoginRow = z.object({
  id: z.string(),
  /** For example 'Firefox on Windows'. */
  device: z.string(),
  /** Whether this is the login that made the request. */
  isCurrent: z.boolean(),
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
});
export type LoginRow = z.infer<typeof LoginRow>;

export const NewPasswordInput = z.object({ password: newPassword });
export type NewPasswordInput = z.infer<typeof NewPasswordInput>;

export const ReauthenticateInput = z.object({
  password: z
    .string({ error: 'Password is required' })
    .check(z.minLength(1, 'Password is required'), z.maxLength(200, "That isn't your password")),
});
export type ReauthenticateInput = z.infer<typeof ReauthenticateInput>;

export const security = defineEndpoints({
  security: {
    method: 'GET',
    path: '/api/security',
    access: 'login',
    summary: 'Password, passkeys and second factors for this account',
    reply: SecurityOverview,
  },
  changePassword: {
    method: 'PUT',
    path: '/api/password',
    access: 'login',
    requires: 'recent-auth',
    summary: 'Set a new password; all other logins are revoked',
    body: NewPasswordInput,
    reply: MessageReply,
  },
  logins: {
    method: 'GET',
    path: '/api/logins',
    access: 'login',
    summary: 'Active logins',
    reply: z.array(LoginRow),
  },
  revokeLogin: {
    method: 'DELETE',
    path: '/api/logins/:id',
    access: 'login',
    requires: 'recent-auth',
    summary: 'Revoke a login',
    params: z.object({ id: z.string().check(z.maxLength(100)) }),
    reply: MessageReply,
  },
  revokeOtherLogins: {
    method: 'DELETE',
    path: '/api/logins',
    access: 'login',
    requires: 'recent-auth',
    summary: 'Revoke all other logins',
    reply: z.object({ revoked: z.number() }),
  },
  checkRecentAuth: {
    method: 'GET',
    path: '/api/reauthenticate',
    access: 'login',
    requires: 'recent-auth',
    summary:
      'Check that the tutor has logged in or reauthenticated recently; called before a download',
    reply: MessageReply,
  },
  reauthenticateWithPassword: {
    method: 'POST',
    path: '/api/reauthenticate',
    access: 'login',
    summary: 'Reauthenticate with the password',
    body: ReauthenticateInput,
    reply: MessageReply,
  },
});
