import * as z from 'zod/mini';
import { MessageReply, User } from './accounts.ts';
import { defineEndpoints } from './endpoint.ts';
import { singleLine } from './schema-fields.ts';
import { Passkey } from './security.ts';

/** A six-digit code from the authenticator app, or a recovery code. */
export const CodeInput = z.object({
  code: z
    .string({ error: 'Please enter the code' })
    .check(
      z.trim(),
      z.minLength(1, 'Please enter the code'),
      z.maxLength(40, "That code isn't right"),
    ),
});
export type CodeInput = z.infer<typeof CodeInput>;

/** The second factors available after the password. */
export const MfaChallenge = z.object({
  authenticator: z.boolean(),
  passkey: z.boolean(),
});
export type MfaChallenge = z.infer<typeof MfaChallenge>;

/** WebAuthn options and responses, interpreted only by the WebAuthn library. */
const PasskeyOptions = z.object({ options: z.record(z.string(), z.unknown()) });
const PasskeyResponse = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(1400)),
  rawId: z.string().check(z.maxLength(1400)),
  type: z.literal('public-key'),
  response: z.record(z.string(), z.unknown()),
  clientExtensionResults: z.optional(z.record(z.string(), z.unknown())),
  authenticatorAttachment: z.optional(z.nullable(z.string().check(z.maxLength(40)))),
});
export type PasskeyResponse = z.infer<typeof PasskeyResponse>;
const passkeyResponseBody = z.object({ response: PasskeyResponse });

const passkeyName = z
  .string({ error: 'Please give it a name' })
  .check(
    singleLine,
    z.trim(),
    z.minLength(1, 'Please give it a name'),
    z.maxLength(60, 'Please choose a shorter name'),
  );
export const PasskeyNameInput = z.object({ name: passkeyName });
export type PasskeyNameInput = z.infer<typeof PasskeyNameInput>;

const passkeyId = z.object({ id: z.string().check(z.maxLength(100)) });

/** Ten codes when the first factor is set up, shown only once; empty if the tutor already has codes. */
const RecoveryCodesReply = z.object({ recoveryCodes: z.array(z.string()) });

export const mfa = defineEndpoints({
  mfaChallenge: {
    method: 'GET',
    path: '/api/login/mfa',
    access: 'public',
    summary: 'The second factors available for the login in this browser',
    reply: MfaChallenge,
  },
  verifyMfaCode: {
    method: 'POST',
    path: '/api/login/mfa',
    access: 'public',
    summary: 'Log in with a code, after the password',
    body: CodeInput,
    reply: User,
  },
  mfaPasskeyOptions: {
    method: 'POST',
    path: '/api/login/mfa/passkey-options',
    access: 'public',
    summary: 'WebAuthn options for a passkey as the second factor',
    reply: PasskeyOptions,
  },
  verifyMfaPasskey: {
    method: 'POST',
    path: '/api/login/mfa/passkey',
    access: 'public',
    summary: 'Log in with a passkey, after the password',
    body: passkeyResponseBody,
    reply: User,
  },
  passkeyLoginOptions: {
    method: 'POST',
    path: '/api/login/passkey-options',
    access: 'public',
    summary: 'WebAuthn options for a login with a passkey',
    reply: PasskeyOptions,
  },
  logInWithPasskey: {
    method: 'POST',
    path: '/api/login/passkey',
    access: 'public',
    summary: 'Log in with a passkey alone',
    body: passkeyResponseBody,
    reply: User,
  },
  reauthenticateWithCode: {
    method: 'POST',
    path: '/api/reauthenticate/code',
    access: 'login',
    summary: 'Reauthenticate with a code',
    body: CodeInput,
    reply: MessageReply,
  },
  reauthenticationPasskeyOptions: {
    method: 'POST',
    path: '/api/reauthenticate/passkey-options',
    access: 'login',
    summary: 'WebAuthn options to reauthenticate',
    reply: PasskeyOptions,
  },
  reauthenticateWithPasskey: {
    method: 'POST',
    path: '/api/reauthenticate/passkey',
    access: 'login',
    summary: 'Reauthenticate with a passkey',
    body: passkeyResponseBody,
    reply: MessageReply,
  },
  startAuthenticatorSetup: {
    method: 'POST',
    path: '/api/authenticator',
    access: 'login',
    requires: 'recent-auth',
    summary:
      'Create a secret for an authenticator app; it becomes active once its first code is confirmed',
    reply: z.object({ secret: z.string(), uri: z.string() }),
  },
  turnOnAuthenticator: {
    method: 'POST',
    path: '/api/authenticator/confirm',
    access: 'login',
    requires: 'recent-auth',
    summary: 'Turn on the authenticator app with its first code; all other logins are revoked',
    body: CodeInput,
    reply: RecoveryCodesReply,
  },
  turnOffAuthenticator: {
    method: 'DELETE',
    path: '/api/authenticator',
    access: 'login',
    requires: 'recent-auth',
    summary: 'Turn off the authenticator app',
    reply: MessageReply,
  },
  regenerateRecoveryCodes: {
    method: 'POST',
    path: '/api/recovery-codes',
    access: 'login',
    requires: 'recent-auth',
    summary: 'Create ten new recovery codes; the old ones stop working',
    reply: RecoveryCodesReply,
  },
  passkeyRegistrationOptions: {
    method: 'POST',
    path: '/api/passkeys/options',
    access: 'login',
    requires: 'recent-auth',
    summary: 'WebAuthn options to register a passkey',
    reply: PasskeyOptions,
  },
  addPasskey: {
    method: 'POST',
    path: '/api/passkeys',
    access: 'login',
    requires: 'recent-auth',
    summary: 'Add a passkey; all other logins are revoked',
    body: z.object({ name: passkeyName, response: PasskeyResponse }),
    reply: z.object({ passkey: Passkey, recoveryCodes: z.array(z.string()) }),
    status: 201,
  },
  renamePasskey: {
    method: 'PUT',
    path: '/api/passkeys/:id',
    access: 'login',
    requires: 'recent-auth',
    summary: 'Rename a passkey',
    params: passkeyId,
    body: PasskeyNameInput,
    reply: MessageReply,
  },
  removePasskey: {
    method: 'DELETE',
    path: '/api/passkeys/:id',
    access: 'login',
    requires: 'recent-auth',
    summary: 'Remove a passkey',
    params: passkeyId,
    reply: MessageReply,
  },
});
