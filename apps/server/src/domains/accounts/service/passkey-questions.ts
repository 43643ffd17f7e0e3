import type { PasskeyAnswer } from '@lessonbook/contract/second-factor';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { sha256 } from '../../../platform/crypto.ts';
import type { Tx } from '../../../platform/db.ts';
import { challengeIn, type Question, readSigned, type Site } from '../../../platform/passkeys.ts';
import {
  insertChallenge,
  notePasskeyUsed,
  type PasskeyPurpose,
  type PasskeyRow,
  passkeyBy,
  takeChallenge,
} from '../queries/passkeys.ts';
import { passkeyQuestionExpiry } from '../rules/lifetimes.ts';

/** Who asks and what for: an answer is good for this alone. */
export interface Asking {
  purpose: PasskeyPurpose;
  /** A hash of what the asking browser holds. */
  holderHash: Buffer;
}

export function siteOf({ config }: Context): Site {
  const { passkeyDomain: domain, origin } = config;
  if (domain === null) throw new AppError('not_found', 'There is nothing here.');
  return { domain, origin };
}

export const wrongPasskey = () =>
  new AppError('invalid', 'That passkey could not be checked. Please try again.');

export async function keepQuestion(
  context: Context,
  { purpose, holderHash }: Asking,
  asked: Promise<Question>,
): Promise<{ question: Record<string, unknown> }> {
  const { question, challenge } = await asked;
  const expiresAt = passkeyQuestionExpiry(context.clock.now());
  const hash = sha256(challenge);
  await insertChallenge(context.db.global, { hash, purpose, holderHash, expiresAt });
  return { question };
}

/** The challenge that this browser was given for this purpose, once; anything else is refused. */
export async function takeQuestion(
  context: Context,
  { purpose, holderHash }: Asking,
  answer: PasskeyAnswer,
): Promise<string> {
  const challenge = challengeIn(answer);
  const hash = sha256(challenge);
  const taken = await takeChallenge(
    context.db.global,
    { hash, purpose, holderHash },
    context.clock.now(),
  );
  if (!taken) throw wrongPasskey();
  return challenge;
}

/** The passkey that has signed what this browser was asked, or a refusal. */
export async function whoSigned(
  context: Context,
  asking: Asking,
  answer: PasskeyAnswer,
): Promise<{ passkey: PasskeyRow; counter: number }> {
  const challenge = await takeQuestion(context, asking, answer);
  const passkey = await passkeyBy(context.db.global, answer.id);
  if (!passkey) throw wrongPasskey();
  const counter = await readSigned(siteOf(context), answer, challenge, passkey);
  if (counter === null) throw wrongPasskey();
  return { passkey, counter };
}

/** In the transaction that lets somebody in: a passkey that was removed this moment opens nothing. */
export async function notePasskey(
  context: Context,
  tx: Tx,
  { passkey, counter }: { passkey: PasskeyRow; counter: number },
): Promise<void> {
  const noted = await notePasskeyUsed(tx, passkey.credentialId, counter, context.clock.now());
  if (!noted) throw wrongPasskey();
}
