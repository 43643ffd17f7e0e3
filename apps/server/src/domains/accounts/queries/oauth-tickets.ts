import type { Tx } from '../../../platform/db/database.ts';

export type TicketPurpose = 'sign-in' | 'link';

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

export interface NewOAuthTicket {
  id: string;
  tokenHash: Buffer;
  browserHash: Buffer;
  subject: string;
  email: string | null;
  emailVerified: boolean;
  hostedDomain: string | null;
  name: string;
  picture: string | null;
  expiresAt: Date;
}

export async function insertTicket(tx: Tx, ticket: NewOAuthTicket): Promise<void> {
  await tx
    .insertInto('oauth_tickets')
    .values({
      id: ticket.id,
      token_hash: ticket.tokenHash,
      browser_hash: ticket.browserHash,
      purpose: 'sign-in',
      subject: ticket.subject,
      email: ticket.email,
      email_verified: ticket.emailVerified,
      hosted_domain: ticket.hostedDomain,
      name: ticket.name,
      picture: ticket.picture,
      expires_at: ticket.expiresAt,
    })
    .execute();
}

const ticketsOf = (tx: Tx, browserHash: Buffer, purpose: TicketPurpose, now: Date) =>
  tx
    .selectFrom('oauth_tickets')
    .where('browser_hash', '=', browserHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .select([
      'id',
      'subject',
      'email',
      'email_verified as emailVerified',
      'hosted_domain as hostedDomain',
      'name',
      'picture',
    ]);

export async function latestTicket(tx: Tx, browserHash: Buffer, now: Date) {
  return ticketsOf(tx, browserHash, 'sign-in', now).orderBy('id', 'desc').executeTakeFirst();
}

/** Undefined if the ticket has expired, is for another purpose or belongs to another browser. */
export async function findValidTicket(
  tx: Tx,
  purpose: TicketPurpose,
  tokenHash: Buffer,
  browserHash: Buffer,
  now: Date,
) {
  return ticketsOf(tx, browserHash, purpose, now)
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

export type OAuthTicket = NonNullable<Awaited<ReturnType<typeof findValidTicket>>>;

/** A single statement, so that only one of two concurrent requests succeeds. */
export async function consumeTicket(tx: Tx, id: string, purpose: TicketPurpose): Promise<boolean> {
  const result = await tx
    .deleteFrom('oauth_tickets')
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** The ticket can no longer be used to log in, but can be used with the password to link an account. */
export async function convertTicketToLink(tx: Tx, id: string, expiresAt: Date): Promise<boolean> {
  const result = await tx
    .updateTable('oauth_tickets')
    .set({ purpose: 'link', expires_at: expiresAt })
    .where('id', '=', id)
    .where('purpose', '=', 'sign-in')
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function deleteExpiredOAuthRecords(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('google_oauth_states').where('expires_at', '<=', now).execute();
  await tx.deleteFrom('oauth_tickets').where('expires_at', '<=', now).execute();
}
