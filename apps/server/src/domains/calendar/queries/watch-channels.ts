import type { Tx } from '../../../platform/db/database.ts';

export async function insertChannel(
  tx: Tx,
  channel: { id: string; tutorId: string; tokenHash: Buffer; expiresAt: Date },
): Promise<void> {
  await tx
    .insertInto('calendar_channels')
    .values({
      channel_id: channel.id,
      tutor_id: channel.tutorId,
      token_hash: channel.tokenHash,
      expires_at: channel.expiresAt,
    })
    .execute();
}

export async function channelById(
  tx: Tx,
  id: string,
): Promise<{ tutorId: string; tokenHash: Buffer } | undefined> {
  return tx
    .selectFrom('calendar_channels')
    .where('channel_id', '=', id)
    .select(['tutor_id as tutorId', 'token_hash as tokenHash'])
    .executeTakeFirst();
}

/** Deletes the tutor's channels, except `exceptId`. */
export async function deleteChannels(
  tx: Tx,
  tutorId: string,
  exceptId: string | null = null,
): Promise<void> {
  await tx
    .deleteFrom('calendar_channels')
    .where('tutor_id', '=', tutorId)
    .$if(exceptId !== null, (query) => query.where('channel_id', '!=', exceptId ?? ''))
    .execute();
}
