import type { Tx } from '../../../platform/db/database.ts';

export interface NewMfaChallenge {
  tokenHash: Buffer;
  tutorId: string;
  googleSubject: string | null;
  attemptsLeft: number;
  expiresAt: Date;
}

export async function insertMfaChallenge(tx: Tx, challenge: NewMfaChallenge): Promise<void> {
  await tx
    .insertInto('mfa_challenges')
    .values({
      token_hash: challenge.tokenHash,
      tutor_id: challenge.tutorId,
      google_subject: challenge.googleSubject,
      attempts_left: challenge.attemptsLeft,
      expires_at: challenge.expiresAt,
    })
    .execute();
}

export async function findOpenMfaChallenge(tx: Tx, tokenHash: Buffer, now: Date) {
  return tx
    .selectFrom('mfa_challenges')
    .where('token_hash', '=', tokenHash)
    .where('attempts_left', '>', 0)
    .where('expires_at', '>', now)
    .select('tutor_id as tutorId')
    .executeTakeFirst();
}

/** A single statement, so that concurrent requests cannot use more attempts than are left. */
export async function consumeMfaAttempt(tx: Tx, tokenHash: Buffer, now: Date) {
  return tx
    .updateTable('mfa_challenges')
    .set((eb) => ({ attempts_left: eb('attempts_left', '-', 1) }))
    .where('token_hash', '=', tokenHash)
    .where('attempts_left', '>', 0)
    .where('expires_at', '>', now)
    .returning('tutor_id as tutorId')
    .executeTakeFirst();
}

/** Deletes the challenge, so that it can create at most one login. */
export async function consumeMfaChallenge(tx: Tx, tokenHash: Buffer, now: Date) {
  return tx
    .deleteFrom('mfa_challenges')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning('google_subject as googleSubject')
    .executeTakeFirst();
}

export async function deleteMfaChallenges(tx: Tx, tutorId: string): Promise<void> {
  await tx.deleteFrom('mfa_challenges').where('tutor_id', '=', tutorId).execute();
}

export async function deleteExpiredChallenges(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('mfa_challenges').where('expires_at', '<=', now).execute();
  await tx.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute();
}
