import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

export interface PublicLink {
  tokenHash: Buffer;
  tutorId: string;
  /** One kind is never taken for another. */
  kind: 'balance' | 'invoice' | 'unsubscribe' | 'whatsapp';
  targetId: number;
}

/** The same derived token may be handed out with every mail to one address: the first stands. */
export async function insertPublicLinks(
  tx: Tx,
  links: readonly (PublicLink & { now: Date })[],
): Promise<void> {
  if (links.length === 0) return;
  await tx
    .insertInto('public_links')
    .values(
      links.map((link) => ({
        token_hash: link.tokenHash,
        tutor_id: link.tutorId,
        kind: link.kind,
        target_id: link.targetId,
        created_at: link.now,
      })),
    )
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .execute();
}

export async function findPublicLink(
  tx: Tx,
  tokenHash: Buffer,
): Promise<Omit<PublicLink, 'tokenHash'> | undefined> {
  const row = await tx
    .selectFrom('public_links')
    .where('token_hash', '=', tokenHash)
    .select(['tutor_id as tutorId', 'kind', 'target_id as targetId'])
    .executeTakeFirst();
  return row && { ...row, kind: row.kind as PublicLink['kind'] };
}

/** Many at once, for a vendor who tells of many; what is not ours is left out. */
export async function findPublicLinks(
  tx: Tx,
  tokenHashes: readonly Buffer[],
): Promise<PublicLink[]> {
  const rows = await tx
    .selectFrom('public_links')
    .where('token_hash', '=', sql<Buffer>`any(${tokenHashes}::bytea[])`)
    .select(['token_hash as tokenHash', 'tutor_id as tutorId', 'kind', 'target_id as targetId'])
    .execute();
  return rows.map((row) => ({ ...row, kind: row.kind as PublicLink['kind'] }));
}
