import type { EraseInput } from '@lessonbook/contract/account-deletion-and-erasure';
import type { Context } from '../../../context.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import { toRegexAlternation } from '../../../platform/db/redact-text-columns.ts';
import { notifyOwner } from '../../accounts/service/email/security-email.ts';
import { eraseFromBatches } from '../../batches/service/batches.ts';
import { eraseFromDayChanges } from '../../day-changes/service/erase.ts';
import { discardExports } from '../../export/service/exports.ts';
import { eraseFromInvoices } from '../../invoices/service/erase.ts';
import { eraseFromLessons } from '../../lessons/service/erase.ts';
import { eraseFromMessages } from '../../messages/service/erase.ts';
import { eraseFromPayments } from '../../payments/service/erase.ts';
import { eraseFromPortal } from '../../portal/service/erase.ts';
import { eraseFromStudents } from '../../students/service/erase.ts';
import { deleteIdempotencyKeysMatching } from '../queries/retention-purge.ts';

/** Erases one person from all domains in one transaction. Amounts are kept, without a name. */
export async function erasePerson(
  context: Context,
  tutorId: string,
  input: EraseInput,
): Promise<void> {
  const { kind } = input;
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const person = await eraseFromStudents(context, tx, tutorId, input);
    await eraseFromLessons(context, tx, tutorId, person);
    await eraseFromDayChanges(tx, tutorId, person);
    const accounts = await eraseFromPayments(context, tx, tutorId, person);
    await eraseFromInvoices(tx, tutorId, person, accounts);
    await eraseFromMessages(tx, tutorId, person, accounts);
    await eraseFromPortal(tx, tutorId, person);
    // Existing exports still contain the person's data.
    await discardExports(tx, tutorId);
    const pattern = toRegexAlternation([...person.identifiers, person.firstName].filter(Boolean));
    if (pattern !== null) {
      await eraseFromBatches(tx, tutorId, pattern);
      await deleteIdempotencyKeysMatching(tx, tutorId, pattern);
    }
    await recordAudit(tx, tutorId, {
      action: 'person_erased',
      at: context.clock.now(),
      metadata: { kind },
    });
    await notifyOwner(context, tx, tutorId, 'person-erased');
  });
}
