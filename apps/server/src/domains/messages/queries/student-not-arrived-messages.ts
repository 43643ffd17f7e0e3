import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';

export interface SentNotArrived {
  studentId: number;
  messageId: number;
  channel: string;
  state: string;
  /** Failed attempts so far. */
  attempts: number;
  toName: string;
  at: Date;
  failureReason: string | null;
}

/** The last message about each student of the session. */
export const lastNotArrivedMessages = (tx: Tx, tutorId: string, sessionId: number) =>
  queryFromSql(
    tx,
    sql<SentNotArrived>`
      select distinct on (ms.student_id) ms.student_id as "studentId", m.id as "messageId", m.channel, m.state, m.attempts,
        m.to_name as "toName", coalesce(m.sent_at, m.created_at) as at, m.failure_reason as "failureReason"
      from message_sessions ms
      join messages m on m.tutor_id = ms.tutor_id and m.id = ms.message_id
      where ms.tutor_id = ${tutorId}::uuid and ms.session_id = ${sessionId}::int and m.kind = 'not_arrived'
      order by ms.student_id, m.id desc`,
  );
