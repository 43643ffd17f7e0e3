import type { Currency } from '@lessonbook/contract/money';
import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';

interface NewCancelledSeat {
  sessionId: number;
  studentId: number;
  fee: number;
  currency: string;
  usesFreeCancellation: boolean;
  termStart: string;
}

/** Returns the id. */
export async function insertPortalCancellation(
  tx: Tx,
  tutorId: string,
  cancellation: {
    contactId: number;
    at: Date;
    isIllness: boolean;
    eraseReasonOn: string;
    seats: readonly NewCancelledSeat[];
  },
): Promise<number> {
  const { contactId, at, isIllness, eraseReasonOn, seats } = cancellation;
  const [id] = (await nextIdsForKind(tx, tutorId, 'portal_cancellation')) as [number];
  await tx
    .insertInto('portal_cancellations')
    .values({
      tutor_id: tutorId,
      id,
      contact_id: contactId,
      cancelled_at: at,
      is_illness: isIllness,
      erase_reason_on: eraseReasonOn,
    })
    .execute();
  await tx
    .insertInto('portal_cancelled_seats')
    .values(
      seats.map((seat) => ({
        tutor_id: tutorId,
        session_id: seat.sessionId,
        student_id: seat.studentId,
        cancellation_id: id,
        fee: seat.fee,
        currency: seat.currency,
        uses_free_cancellation: seat.usesFreeCancellation,
        term_start: seat.termStart,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['tutor_id', 'session_id', 'student_id']).doUpdateSet((eb) => ({
        cancellation_id: eb.ref('excluded.cancellation_id'),
        fee: eb.ref('excluded.fee'),
        currency: eb.ref('excluded.currency'),
        uses_free_cancellation: eb.ref('excluded.uses_free_cancellation'),
        term_start: eb.ref('excluded.term_start'),
      })),
    )
    .execute();
  return id;
}

/** Undefined if there is no such cancellation. */
export async function findCancelledSeats(
  tx: Tx,
  tutorId: string,
  cancellationId: number,
): Promise<{ sessionId: number; studentId: number }[] | undefined> {
  const rows = await tx
    .selectFrom('portal_cancellations as c')
    .leftJoin('portal_cancelled_seats as s', (join) =>
      join.onRef('s.tutor_id', '=', 'c.tutor_id').onRef('s.cancellation_id', '=', 'c.id'),
    )
    .where('c.tutor_id', '=', tutorId)
    .where('c.id', '=', cancellationId)
    .select(['s.session_id as sessionId', 's.student_id as studentId'])
    .execute();
  if (rows.length === 0) return undefined;
  return rows.flatMap(({ sessionId, studentId }) =>
    sessionId === null || studentId === null ? [] : [{ sessionId, studentId }],
  );
}

export interface CancelledSeatRow {
  cancellationId: number;
  cancelledAt: Date;
  sessionId: number;
  studentName: string;
  date: string;
  startTime: string;
  fee: number;
  currency: Currency;
  usesFreeCancellation: boolean;
  /** False once the fee is waived or the seat is restored. */
  isCharged: boolean;
}

/**
 * The seats of a contact's latest cancellations, newest first. Cancellations without a seat are left out: the seat was
 * cancelled again later, or its student was erased.
 */
export const latestCancelledSeats = (tx: Tx, tutorId: string, contactId: number, limit: number) =>
  queryFromSql(
    tx,
    sql<CancelledSeatRow>`
      select c.id as "cancellationId", c.cancelled_at as "cancelledAt", s.id as "sessionId", t.name as "studentName",
        s.date, s.start_time as "startTime", p.fee, p.currency, p.uses_free_cancellation as "usesFreeCancellation",
        x.is_billable and (s.status = 'cancelled' or x.state = 'cancelled') as "isCharged"
      from (
        select tutor_id, id, cancelled_at from portal_cancellations c
        where tutor_id = ${tutorId}::uuid and contact_id = ${contactId}::int and exists (
          select from portal_cancelled_seats p
          join students t on t.tutor_id = p.tutor_id and t.id = p.student_id and t.erased_at is null
          where p.tutor_id = c.tutor_id and p.cancellation_id = c.id)
        order by cancelled_at desc, id desc
        limit ${limit}
      ) as c
      join portal_cancelled_seats p on p.tutor_id = c.tutor_id and p.cancellation_id = c.id
      join students t on t.tutor_id = p.tutor_id and t.id = p.student_id and t.erased_at is null
      join sessions s on s.tutor_id = p.tutor_id and s.id = p.session_id
      join session_students x on x.tutor_id = p.tutor_id and x.session_id = p.session_id and x.student_id = p.student_id
      order by c.cancelled_at desc, c.id desc, s.starts_at, s.id, t.name`,
  );

/**
 * Erases illness as the reason for a cancellation if its term ended before this date, with the message that came with
 * it.
 */
export const eraseIllnessReasonsBefore = (tx: Tx, tutorId: string, today: string) =>
  queryFromSql(
    tx,
    sql`
      with due as (
        update portal_cancellations set is_illness = false
        where tutor_id = ${tutorId}::uuid and is_illness and erase_reason_on < ${today}::date
        returning id
      ), seats as (
        select session_id, student_id from portal_cancelled_seats
        where tutor_id = ${tutorId}::uuid and cancellation_id in (select id from due)
      ), erased_seats as (
        update session_students x set cancel_reason = null from seats
        where x.tutor_id = ${tutorId}::uuid and x.session_id = seats.session_id and x.student_id = seats.student_id
      )
      update sessions s set cancel_reason = null from seats
      where s.tutor_id = ${tutorId}::uuid and s.id = seats.session_id and s.cancelled_by <> 'tutor'`,
  );
