import type { PasskeyResponse } from '@lessonbook/contract/mfa';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import {
  type RelyingParty,
  readChallenge,
  verifyAuthentication,
  type WebAuthnOptions,
} from '../../../../platform/crypto/webauthn.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import {
  consumePasskeyChallenge,
  findPasskeyByCredentialId,
  insertPasskeyChallenge,
  type PasskeyPurpose,
  type PasskeyRow,
  updatePasskeyUsage,
} from '../../queries/passkeys.ts';
import { passkeyChallengeExpiry } from '../../rules/expirations.ts';

/** A challenge is valid only for one browser and one purpose. */
export interface ChallengeScope {
  purpose: PasskeyPurpose;
  /** Hash of the cookie that identifies the browser: the login cookie, or one set for this purpose. */
  cookieHash: Buffer;
}

export function getRelyingParty({ config }: Context): RelyingParty {
  const { passkeyDomain: domain, origin } = config;
  if (domain === null) throw new AppError('not_found', "We couldn't find that.");
  return { domain, origin };
}

export const invalidPasskeyError = () =>
  new AppError('invalid', "We couldn't check that passkey. Please try again.");

export async function storeChallenge(
  context: Context,
  { purpose, cookieHash }: ChallengeScope,
  webAuthnOptions: Promise<WebAuthnOptions>,
): Promise<{ options: Record<string, unknown> }> {
  const { options, challenge } = await webAuthnOptions;
  const expiresAt = passkeyChallengeExpiry(context.clock.now());
  const hash = sha256(challenge);
  await insertPasskeyChallenge(context.db.global, { hash, purpose, cookieHash, expiresAt });
  return { options };
}

/** Returns the challenge from the response. Throws unless it was issued for this scope and is still unused. */
export async function consumeChallenge(
  context: Context,
  { purpose, cookieHash }: ChallengeScope,
  response: PasskeyResponse,
): Promise<string> {
  const challenge = readChallenge(response);
  const hash = sha256(challenge);
  const consumed = await consumePasskeyChallenge(
    context.db.global,
    { hash, purpose, cookieHash },
    context.clock.now(),
  );
  if (!consumed) throw invalidPasskeyError();
  return challenge;
}

export async function verifyPasskeyResponse(
  context: Context,
  scope: ChallengeScope,
  response: PasskeyResponse,
): Promise<{ passkey: PasskeyRow; counter: number }> {
  const challenge = await consumeChallenge(context, scope, response);
  const passkey = await findPasskeyByCredentialId(context.db.global, response.id);
  if (!passkey) throw invalidPasskeyError();
  const counter = await verifyAuthentication(
    getRelyingParty(context),
    response,
    challenge,
    passkey,
  );
  if (counter === null) throw invalidPasskeyError();
  return { passkey, counter };
}

/** Runs in the login transaction. Fails if the passkey has been removed in the meantime. */
export async function recordPasskeyUse(
  context: Context,
  tx: Tx,
  { passkey, counter }: { passkey: PasskeyRow; counter: number },
): Promise<void> {
  const updated = await updatePasskeyUsage(tx, passkey.credentialId, counter, context.clock.now());
  if (!updated) throw invalidPasskeyError();
}
