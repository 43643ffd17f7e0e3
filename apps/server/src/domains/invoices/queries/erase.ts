import { ERASED_NAME } from '@lessonbook/contract/account-deletion-and-erasure';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

/* These are the only erasure changes to issued documents that the trigger reject_issued_invoice_change allows. */

const ERASED_PARTY = JSON.stringify({
  to: { name: ERASED_NAME, address: null },
  reference: 'ERASED',
});

export async function erasePayerFromInvoices(
  tx: Tx,
  tutorId: string,
  familyIds: readonly number[],
): Promise<void> {
  await sql`update invoices set parties_snapshot = parties_snapshot || ${ERASED_PARTY}::jsonb, note = null, void_reason = null
    where tutor_id = ${tutorId}::uuid and family_id = any(${familyIds}::int[])`.execute(tx);
}

export async function eraseStudentFromLines(
  tx: Tx,
  tutorId: string,
  studentId: number,
): Promise<void> {
  await sql`update invoice_lines set student_name = ${ERASED_NAME},
      description = case when session_id is null then 'Item' else 'Lesson' end
    where tutor_id = ${tutorId}::uuid and student_id = ${studentId}::int`.execute(tx);
}

/** Erases matching text that the tutor wrote on other documents. */
export async function eraseTextMatches(tx: Tx, tutorId: string, pattern: string): Promise<void> {
  await sql`update invoices set note = null
    where tutor_id = ${tutorId}::uuid and note ~* ${pattern}`.execute(tx);
  await sql`update invoices set void_reason = null
    where tutor_id = ${tutorId}::uuid and void_reason ~* ${pattern}`.execute(tx);
  await sql`update invoice_lines set description = 'Item'
    where tutor_id = ${tutorId}::uuid and description ~* ${pattern}`.execute(tx);
}
