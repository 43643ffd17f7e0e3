import type { Tx } from '../../../platform/db/database.ts';

export async function insertOAuthState(
  tx: Tx,
  oauthState: { stateHash: Buffer; browserHash: Buffer; page: string; expiresAt: Date },
): Promise<void> {
  await tx
    .insertInto('google_oauth_states')
    .values({
      state_hash: oauthState.stateHash,
      browser_hash: oauthState.browserHash,
      page: oauthState.page,
      expires_at: oauthState.expiresAt,
    })
    .execute();
}

/** Deletes the state, so that only one of two concurrent callbacks finds it. */
export async function consumeOAuthState(tx: Tx, stateHash: Buffer, browserHash: Buffer, now: Date) {
  return tx
    .deleteFrom('google_oauth_states')
    .where('state_hash', '=', stateHash)
    .where('browser_hash', '=', browserHash)
    .where('expires_at', '>', now)
    .returning('page')
    .executeTakeFirst();
}

export async function deleteExpiredOAuthStates(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('google_oauth_states').where('expires_at', '<=', now).execute();
}
