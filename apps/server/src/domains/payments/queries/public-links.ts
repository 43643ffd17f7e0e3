import type { Tx } from '../../../platform/db.ts';

export interface PublicLink {
  tokenHash: Buffer;
  tutorId: string;
  /** One kind is never taken for another. */
  kind: 'balance' | 'invoice';
  targetId: number;
}

export async function insertPublicLink(tx: Tx, link: PublicLink & { now: Date }): Promise<void> {
  await tx
    .insertInto('public_links')
    .values({
      token_hash: link.tokenHash,
      tutor_id: link.tutorId,
      kind: link.kind,
      target_id: link.targetId,
      created_at: link.now,
    })
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
