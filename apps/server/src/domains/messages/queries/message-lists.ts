import type { LogFilter } from '@lessonbook/contract/messages';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { isSentAutomatically, selectMessages } from './messages.ts';

export interface LogQuery {
  familyId?: number | undefined;
  show?: LogFilter | undefined;
  search?: string | undefined;
  since: Date | null;
  limit: number;
  offset: number;
}

const LOG_CONDITIONS: Record<LogFilter, ReturnType<typeof sql<boolean>>> = {
  sent: sql<boolean>`true`,
  automatic: isSentAutomatically,
  tutor: sql<boolean>`not ${isSentAutomatically}`,
  failed: sql<boolean>`state = 'failed'`,
};

/** Newest first. */
export function messageLog(tx: Tx, tutorId: string, query: LogQuery) {
  const { familyId, show, search, since } = query;
  let log = selectMessages(tx, tutorId);
  if (familyId !== undefined) log = log.where('family_id', '=', familyId);
  if (show) log = log.where('state', 'not in', ['draft', 'opened']).where(LOG_CONDITIONS[show]);
  if (since) log = log.where('created_at', '>=', since);
  if (search) {
    const pattern = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
    log = log.where((eb) =>
      eb.or([
        eb('to_name', 'ilike', pattern),
        eb('subject', 'ilike', pattern),
        eb('text', 'ilike', pattern),
      ]),
    );
  }
  return log.orderBy('id', 'desc').limit(query.limit).offset(query.offset);
}

/** The condition has two parts because each has its own partial index. */
const needsSending = sql<boolean>`(state in ('draft', 'opened') or state = 'failed')`;

/** WhatsApp drafts, and messages that could not be sent. */
export const messagesToSend = (tx: Tx, tutorId: string) =>
  selectMessages(tx, tutorId).where(needsSending).orderBy('id');

/** Drafts about lessons that the tutor has not opened. */
export const unopenedDrafts = (
  tx: Tx,
  tutorId: string,
  kind: 'lesson_reminder' | 'lesson_change',
) =>
  selectMessages(tx, tutorId)
    .where('kind', '=', kind)
    .where('state', '=', sql.lit('draft'))
    .orderBy('id');
