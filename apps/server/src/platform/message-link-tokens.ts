import { sql } from 'kysely';
import { sha256 } from './crypto/tokens.ts';
import type { Database, Tx } from './db/database.ts';

/** The message that contains the link or that a webhook is about. */
interface PublicLink {
  tutorId: string;
  kind: 'unsubscribe' | 'whatsapp';
  targetId: number;
}

/** Keeps existing tokens: every email to the same address contains the same derived token. */
export async function addPublicLinks(
  tx: Tx,
  links: readonly (PublicLink & { tokenHash: Buffer; now: Date })[],
): Promise<void> {
  if (links.length === 0) return;
  await sql`
    insert into public_links (token_hash, tutor_id, kind, target_id, created_at)
    select * from unnest(${links.map((link) => link.tokenHash)}::bytea[], ${links.map((link) => link.tutorId)}::uuid[],
      ${links.map((link) => link.kind)}::text[], ${links.map((link) => link.targetId)}::int[],
      ${links.map((link) => link.now)}::timestamptz[])
    on conflict (token_hash) do nothing`.execute(tx);
}

/** Returns undefined for an unknown token. */
export async function readPublicLink(db: Database, token: string): Promise<PublicLink | undefined> {
  return (await readPublicLinks(db, [token])).get(token);
}

/** Returns the links by token and omits unknown tokens. */
export async function readPublicLinks(
  db: Database,
  tokens: readonly string[],
): Promise<Map<string, PublicLink>> {
  if (tokens.length === 0) return new Map();
  const hashes = tokens.map((token) => sha256(token));
  const tokenByHash = new Map(
    hashes.map((hash, index) => [hash.toString('hex'), tokens[index] ?? '']),
  );
  const rows = await db.global
    .selectFrom('public_links')
    .where('token_hash', '=', sql<Buffer>`any(${hashes}::bytea[])`)
    .select(['token_hash as tokenHash', 'tutor_id as tutorId', 'kind', 'target_id as targetId'])
    .execute();
  return new Map(
    rows.map(({ tokenHash, kind, ...link }) => [
      tokenByHash.get(tokenHash.toString('hex')) ?? '',
      { ...link, kind: kind as PublicLink['kind'] },
    ]),
  );
}
