import { sql } from 'kysely';
import { randomToken } from '../../../platform/crypto/tokens.ts';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { SeatRef } from '../../lessons/events.ts';
import { heldByPlan } from './instalment-plans.ts';
import { hasOpenQuestion } from './questions-about-charges.ts';

export interface SeatFee extends SeatRef {
  fee: number | null;
  currency: string;
  date: string;
  travelFee: number | null;
}

export async function findSeatFees(
  tx: Tx,
  tutorId: string,
  seats: readonly SeatRef[],
): Promise<SeatFee[]> {
  return tx
    .selectFrom('session_students as seats')
    .innerJoin('sessions', (join) =>
      join
        .onRef('sessions.tutor_id', '=', 'seats.tutor_id')
        .onRef('sessions.id', '=', 'seats.session_id'),
    )
    .where('seats.tutor_id', '=', tutorId)
    .where(isOneOf('seats', seats))
    .select([
      'seats.session_id as sessionId',
      'seats.student_id as studentId',
      'seats.fee',
      'seats.currency',
      'sessions.date',
      'sessions.travel_fee as travelFee',
    ])
    .orderBy('seats.session_id')
    .orderBy('seats.position')
    .execute();
}

/** A condition on the session_id and student_id of a table or alias. */
const isOneOf = (table: string, seats: readonly SeatRef[]) =>
  sql<boolean>`(${sql.ref(`${table}.session_id`)}, ${sql.ref(`${table}.student_id`)}) in (select * from
    unnest(${seats.map(({ sessionId }) => sessionId)}::int[], ${seats.map(({ studentId }) => studentId)}::int[]))`;

export interface NewCharge {
  id: number;
  familyId: number;
  studentId: number | null;
  sessionId: number | null;
  kind: 'lesson' | 'cancellation' | 'travel' | 'item' | 'opening';
  description: string | null;
  amount: number;
  currency: string;
  dueDate: string;
  /** The charge for a lesson is split between the payers on this date. */
  payersDate: string | null;
  invoiceId: number | null;
  createdBy: string;
  now: Date;
}

export async function insertCharges(
  tx: Tx,
  tutorId: string,
  charges: readonly NewCharge[],
): Promise<void> {
  if (charges.length === 0) return;
  const column = <K extends keyof NewCharge>(key: K) => charges.map((charge) => charge[key]);
  await sql`
    insert into charges (tutor_id, id, public_id, family_id, student_id, session_id, kind, description, amount, currency,
      due_date, payers_date, invoice_id, outstanding, created_by, created_at)
    select ${tutorId}::uuid, c.id, c.public_id, c.family_id, c.student_id, c.session_id, c.kind, c.description, c.amount,
      c.currency, c.due_date, nullif(c.payers_date, c.due_date), c.invoice_id, c.amount, c.created_by, c.created_at
    from unnest(${column('id')}::int[], ${charges.map(() => randomToken())}::text[], ${column('familyId')}::int[],
      ${column('studentId')}::int[], ${column('sessionId')}::int[], ${column('kind')}::text[], ${column('description')}::text[],
      ${column('amount')}::int[], ${column('currency')}::text[], ${column('dueDate')}::date[], ${column('payersDate')}::date[],
      ${column('invoiceId')}::int[], ${column('createdBy')}::text[], ${column('now')}::timestamptz[])
      as c(id, public_id, family_id, student_id, session_id, kind, description, amount, currency, due_date, payers_date,
        invoice_id, created_by, created_at)`.execute(tx);
}

const charges = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('charges')
    .where('tutor_id', '=', tutorId)
    .select([
      'id',
      'kind',
      'family_id as familyId',
      'student_id as studentId',
      'session_id as sessionId',
      'description',
      'amount',
      'credited',
      'written_off as writtenOff',
      'outstanding',
      'currency',
      'due_date as dueDate',
      sql<string>`coalesce(payers_date, due_date)`.as('payersDate'),
      'invoice_id as invoiceId',
      'reversed',
    ]);

export type Charge = RowOf<ReturnType<typeof charges>>;

export const findCharges = (tx: Tx, tutorId: string, ids: readonly number[]): Promise<Charge[]> =>
  charges(tx, tutorId).where('id', '=', sql<number>`any(${ids}::int[])`).orderBy('id').execute();

/** The charges for the seats, except reversed charges. */
export const chargesForSeats = (
  tx: Tx,
  tutorId: string,
  seats: readonly SeatRef[],
): Promise<Charge[]> =>
  charges(tx, tutorId)
    .where(isOneOf('charges', seats))
    .where('kind', 'in', [sql.lit('lesson'), sql.lit('cancellation')])
    .where('reversed', '=', sql.lit(false))
    .orderBy('id')
    .execute();

/** The charges for travel to the sessions, except reversed charges. */
export const travelChargesForSessions = (
  tx: Tx,
  tutorId: string,
  sessionIds: readonly number[],
): Promise<Charge[]> =>
  charges(tx, tutorId)
    .where('session_id', '=', sql<number>`any(${sessionIds}::int[])`)
    .where('kind', '=', sql.lit('travel'))
    .where('reversed', '=', sql.lit(false))
    .orderBy('id')
    .execute();

export type OpenCharge = Charge & { heldByPlan: number; isQueried: boolean };

/** The families' open charges, ordered by due date. */
export const openCharges = (
  tx: Tx,
  tutorId: string,
  familyIds: readonly number[],
): Promise<OpenCharge[]> =>
  charges(tx, tutorId)
    .select([
      sql<number>`case when ${hasOpenQuestion(sql.ref('charges'))} then 0 else ${heldByPlan(sql.ref('charges'))} end`.as(
        'heldByPlan',
      ),
      hasOpenQuestion(sql.ref('charges')).as('isQueried'),
    ])
    .where('family_id', '=', sql<number>`any(${familyIds}::int[])`)
    .where('outstanding', '>', sql.lit(0))
    .orderBy('due_date')
    .orderBy('id')
    .execute();

/** An entry that reverses all or part of a charge. The charge itself is kept. */
export interface ChargeReversal {
  id: number;
  charge: Pick<Charge, 'id'>;
  /** Negative for the reversal of a write-off. */
  amount: number;
  date: string;
}

export async function insertChargeReversals(
  tx: Tx,
  tutorId: string,
  reversals: readonly ChargeReversal[],
  entry: {
    kind: 'reversal' | 'credit_note' | 'write_off';
    description?: string | null;
    invoiceId: number | null;
    createdBy: string;
    now: Date;
  },
): Promise<void> {
  if (reversals.length === 0) return;
  await sql`
    insert into charges (tutor_id, id, public_id, family_id, student_id, session_id, kind, description, amount, currency,
      due_date, reverses_id, invoice_id, outstanding, created_by, created_at)
    select c.tutor_id, r.id, r.public_id, c.family_id, c.student_id, c.session_id, ${entry.kind}::text,
      ${entry.description ?? null}::text, -r.amount, c.currency, r.date, c.id, ${entry.invoiceId}::int, 0, ${entry.createdBy}::text, ${entry.now}::timestamptz
    from unnest(${reversals.map(({ id }) => id)}::int[], ${reversals.map(() => randomToken())}::text[],
      ${reversals.map(({ charge }) => charge.id)}::int[], ${reversals.map(({ amount }) => amount)}::int[],
      ${reversals.map(({ date }) => date)}::date[]) as r(id, public_id, charge_id, amount, date)
    join charges c on c.tutor_id = ${tutorId}::uuid and c.id = r.charge_id`.execute(tx);
}

export async function updateReductions(
  tx: Tx,
  tutorId: string,
  changes: readonly {
    chargeId: number;
    credited: number;
    writtenOff: number;
    reversed: boolean;
  }[],
): Promise<void> {
  // Zero satisfies the constraint charges_derived_within_amount; recomputeCharges sets the real amount afterwards.
  await sql`
    update charges c set credited = v.credited, written_off = v.written_off, reversed = v.reversed, outstanding = 0,
      paid_by_id = null
    from unnest(${changes.map(({ chargeId }) => chargeId)}::int[], ${changes.map(({ credited }) => credited)}::int[],
      ${changes.map(({ writtenOff }) => writtenOff)}::int[], ${changes.map(({ reversed }) => reversed)}::bool[])
      as v(charge_id, credited, written_off, reversed)
    where c.tutor_id = ${tutorId}::uuid and c.id = v.charge_id`.execute(tx);
}

export async function setInvoiceIds(
  tx: Tx,
  tutorId: string,
  changes: readonly { chargeId: number; invoiceId: number | null }[],
): Promise<void> {
  if (changes.length === 0) return;
  await sql`
    update charges c set invoice_id = v.invoice_id
    from unnest(${changes.map(({ chargeId }) => chargeId)}::int[], ${changes.map(({ invoiceId }) => invoiceId)}::int[])
      as v(charge_id, invoice_id)
    where c.tutor_id = ${tutorId}::uuid and c.id = v.charge_id`.execute(tx);
}

export async function moveChargesToSession(
  tx: Tx,
  tutorId: string,
  fromSessionId: number,
  toSessionId: number,
): Promise<void> {
  await tx
    .updateTable('charges')
    .set({ session_id: toSessionId })
    .where('tutor_id', '=', tutorId)
    .where('session_id', '=', fromSessionId)
    .where('kind', 'in', [sql.lit('lesson'), sql.lit('cancellation')])
    .where('reversed', '=', sql.lit(false))
    // The charge for a cancelled seat is not moved, because the seat stays in the original session.
    .where('student_id', 'in', (eb) =>
      eb
        .selectFrom('session_students')
        .where('tutor_id', '=', tutorId)
        .where('session_id', '=', toSessionId)
        .where('state', '=', sql.lit('expected'))
        .select('student_id'),
    )
    .execute();
}
