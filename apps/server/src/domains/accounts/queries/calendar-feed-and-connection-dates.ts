import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

/** When the feed URL was created and Google Calendar was connected. Both give access to the schedule without a login. */
export const calendarFeedAndConnectionDates = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('tutors')
    .leftJoin('shared_links', (join) =>
      join
        .onRef('shared_links.tutor_id', '=', 'tutors.tutor_id')
        .on('shared_links.kind', '=', sql.lit('feed')),
    )
    .leftJoin('calendar_connections', (join) =>
      join
        .onRef('calendar_connections.tutor_id', '=', 'tutors.tutor_id')
        .on('calendar_connections.encrypted_token', 'is not', null),
    )
    .where('tutors.tutor_id', '=', tutorId)
    .select([
      'shared_links.created_at as feedCreatedAt',
      'calendar_connections.connected_at as connectedAt',
    ]);
