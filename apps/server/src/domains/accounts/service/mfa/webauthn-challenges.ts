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

/** Who asks and what for: an answer is good for this alone. */
export interface ChallengeScope {
  purpose: PasskeyPurpose;
  /** A hash of what the asking browser holds. */
  holderHash: Buffer;
}

export function getRelyingParty({ config }: Context): RelyingParty {
  const { passkeyDomain: domain, origin } = config;
  if (domain === null) throw new AppError('not_found', 'There is nothing here.');
  return { domain, origin };
}

export const invalidPasskey = () =>
  new AppError('invalid', 'That passkey could not be checked. Please try again.');

export async function storeChallenge(
  context: Context,
  { purpose, holderHash }: ChallengeScope,
  asked: Promise<WebAuthnOptions>,
): Promise<{ options: Record<string, unknown> }> {
  const { options, challenge } = await asked;
  const expiresAt = passkeyChallengeExpiry(context.clock.now());
  const hash = sha256(challenge);
  await insertPasskeyChallenge(context.db.global, { hash, purpose, holderHash, expiresAt });
  return { options };
}

/** The challenge that this browser was given for this purpose, once; anything else is refused. */
export async function consumeChallenge(
  context: Context,
  { purpose, holderHash }: ChallengeScope,
  answer: PasskeyResponse,
): Promise<string> {
  const challenge = readChallenge(answer);
  const hash = sha256(challenge);
  const taken = await consumePasskeyChallenge(
    context.db.global,
    { hash, purpose, holderHash },
    context.clock.now(),
  );
  if (!taken) throw invalidPasskey();
  return challenge;
}

/** The passkey that has signed what this browser was asked, or a refusal. */
export async function verifyPasskeyResponse(
  context: Context,
  scope: ChallengeScope,
  answer: PasskeyResponse,
): Promise<{ passkey: PasskeyRow; counter: number }> {
  const challenge = await consumeChallenge(context, scope, answer);
  const passkey = await findPasskeyByCredentialId(context.db.global, answer.id);
  if (!passkey) throw invalidPasskey();
  const counter = await verifyAuthentication(getRelyingParty(context), answer, challenge, passkey);
  if (counter === null) throw invalidPasskey();
  return { passkey, counter };
}

/** In the transaction that lets somebody in: a passkey that was removed this moment opens nothing. */
export async function recordPasskeyUse(
  context: Context,
  tx: Tx,
  { passkey, counter }: { passkey: PasskeyRow; counter: number },
): Promise<void> {
  const noted = await updatePasskeyUsage(tx, passkey.credentialId, counter, context.clock.now());
  if (!noted) throw invalidPasskey();
}
