import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { planDueDate } from './instalment-plans.ts';
import {
  type HoldReason,
  heldAmount,
  holdReason,
} from './returned-payments-and-charges-on-hold.ts';

export interface ChargeView {
  id: number;
  kind: string;
  familyId: number;
  sessionId: number | null;
  lessonId: number | null;
  studentId: number | null;
  studentName: string | null;
  subjectName: string | null;
  description: string | null;
  date: string;
  currency: string;
  amount: number;
  /** The amount that was credited or written off. */
  credited: number;
  outstanding: number;
  invoiceId: number | null;
  invoiceNumber: string | null;
  /** The date of the next instalment, or the due date of the invoice. */
  dueOn: string | null;
  /** The date of the next instalment, if the charge is in a plan. */
  instalmentDueOn: string | null;
  reversed: boolean;
  onHold: number;
  holdReason: HoldReason | null;
}

/** Charges with student and subject names. */
export const chargeViews = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('charges')
    .leftJoin('sessions', (join) =>
      join
        .onRef('sessions.tutor_id', '=', 'charges.tutor_id')
        .onRef('sessions.id', '=', 'charges.session_id'),
    )
    .leftJoin('subjects', (join) =>
      join
        .onRef('subjects.tutor_id', '=', 'sessions.tutor_id')
        .onRef('subjects.id', '=', 'sessions.subject_id'),
    )
    .leftJoin('students', (join) =>
      join
        .onRef('students.tutor_id', '=', 'charges.tutor_id')
        .onRef('students.id', '=', 'charges.student_id'),
    )
    .leftJoin('invoices', (join) =>
      join
        .onRef('invoices.tutor_id', '=', 'charges.tutor_id')
        .onRef('invoices.id', '=', 'charges.invoice_id'),
    )
    .where('charges.tutor_id', '=', tutorId)
    .select([
      'charges.id',
      'charges.kind',
      'charges.family_id as familyId',
      'charges.session_id as sessionId',
      'sessions.lesson_id as lessonId',
      'charges.student_id as studentId',
      'students.name as studentName',
      'subjects.name as subjectName',
      'charges.description',
      'charges.due_date as date',
      'charges.currency',
      'charges.amount',
      sql<number>`charges.credited + charges.written_off`.as('credited'),
      'charges.outstanding',
      'charges.invoice_id as invoiceId',
      'invoices.number as invoiceNumber',
      sql<string | null>`coalesce(${planDueDate(sql.ref('charges'))}, invoices.due_on)`.as('dueOn'),
      planDueDate(sql.ref('charges')).as('instalmentDueOn'),
      'charges.reversed',
      heldAmount('charges').as('onHold'),
      holdReason('charges').as('holdReason'),
    ])
    .orderBy('charges.due_date')
    .orderBy('charges.id');

export const openFamilyCharges = (tx: Tx, tutorId: string, familyIds: readonly number[]) =>
  chargeViews(tx, tutorId)
    .where('charges.family_id', '=', sql<number>`any(${familyIds}::int[])`)
    .where('charges.outstanding', '>', sql.lit(0));
