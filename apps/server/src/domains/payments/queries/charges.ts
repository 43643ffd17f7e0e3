import { sql } from 'kysely';
import { randomToken } from '../../../platform/crypto.ts';
import type { Tx } from '../../../platform/db.ts';

/** A session as the ledger sees it: who is taught, who pays, how much, from when on it is due. */
export interface Chargeable {
  sessionId: number;
  studentId: number;
  carerId: number | null;
  fee: number | null;
  currency: string;
  date: string;
}

export async function chargeableSessions(
  tx: Tx,
  tutorId: string,
  ids: readonly number[],
): Promise<Chargeable[]> {
  return tx
    .selectFrom('sessions')
    .innerJoin('students', (join) =>
      join
        .onRef('students.tutor_id', '=', 'sessions.tutor_id')
        .onRef('students.id', '=', 'sessions.student_id'),
    )
    .where('sessions.tutor_id', '=', tutorId)
    .where('sessions.id', '=', sql<number>`any(${ids}::int[])`)
    .select([
      'sessions.id as sessionId',
      'sessions.student_id as studentId',
      'students.carer_id as carerId',
      'sessions.fee',
      'sessions.currency',
      'sessions.date',
    ])
    .orderBy('sessions.id')
    .execute();
}

export interface NewCharge {
  id: number;
  familyId: number;
  studentId: number;
  sessionId: number;
  kind: 'lesson' | 'cancellation';
  amount: number;
  currency: string;
  dueDate: string;
  author: string;
  now: Date;
}

export async function insertCharge(tx: Tx, tutorId: string, charge: NewCharge): Promise<void> {
  await tx
    .insertInto('charges')
    .values({
      tutor_id: tutorId,
      id: charge.id,
      public_id: randomToken(),
      family_id: charge.familyId,
      student_id: charge.studentId,
      session_id: charge.sessionId,
      kind: charge.kind,
      amount: charge.amount,
      currency: charge.currency,
      due_date: charge.dueDate,
      outstanding: charge.amount,
      author: charge.author,
      created_at: charge.now,
    })
    .execute();
}

const chargeOfSession = (tx: Tx, tutorId: string, sessionId: number) =>
  tx
    .selectFrom('charges')
    .where('tutor_id', '=', tutorId)
    .where('session_id', '=', sessionId)
    .where('kind', '<>', sql.lit('reversal'))
    .where('reversed', '=', sql.lit(false))
    .select([
      'id',
      'family_id as familyId',
      'student_id as studentId',
      'amount',
      'currency',
      'due_date as dueDate',
    ]);

export const findChargeOfSession = (tx: Tx, tutorId: string, sessionId: number) =>
  chargeOfSession(tx, tutorId, sessionId).executeTakeFirst();

type LiveCharge = NonNullable<Awaited<ReturnType<typeof findChargeOfSession>>>;

/** The entry that takes another one back; the first stays as it was made. */
export async function insertReversal(
  tx: Tx,
  tutorId: string,
  charge: LiveCharge,
  reversal: { id: number; sessionId: number; author: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('charges')
    .values({
      tutor_id: tutorId,
      id: reversal.id,
      public_id: randomToken(),
      family_id: charge.familyId,
      student_id: charge.studentId,
      session_id: reversal.sessionId,
      kind: 'reversal',
      amount: -charge.amount,
      currency: charge.currency,
      due_date: charge.dueDate,
      reverses_id: charge.id,
      outstanding: 0,
      author: reversal.author,
      created_at: reversal.now,
    })
    .execute();
  await tx
    .updateTable('charges')
    .set({ reversed: true, outstanding: 0 })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', charge.id)
    .execute();
}
