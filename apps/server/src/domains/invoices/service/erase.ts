import type { Tx } from '../../../platform/db/database.ts';
import { toRegexAlternation } from '../../../platform/db/redact-text-columns.ts';
import type { ErasedAccounts } from '../../payments/service/erase.ts';
import type { ErasedPerson } from '../../students/service/erase.ts';
import {
  erasePayerFromInvoices,
  eraseStudentFromLines,
  eraseTextMatches,
} from '../queries/erase.ts';

/** Removes names. The number, dates and amounts are kept, as the law requires. */
export async function eraseFromInvoices(
  tx: Tx,
  tutorId: string,
  person: ErasedPerson,
  { own }: ErasedAccounts,
): Promise<void> {
  await erasePayerFromInvoices(tx, tutorId, own);
  if (person.kind === 'student') await eraseStudentFromLines(tx, tutorId, person.id);
  const pattern = toRegexAlternation(person.identifiers);
  if (pattern !== null) await eraseTextMatches(tx, tutorId, pattern);
}
