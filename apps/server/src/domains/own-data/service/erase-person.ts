import type { EraseInput } from '@lessonbook/contract/own-data';
import type { Context } from '../../../context.ts';
import { audit } from '../../../platform/audit.ts';
import { anyOf } from '../../../platform/sweep.ts';
import { eraseFromInvoices } from '../../invoices/service/erase.ts';
import { eraseFromLessons } from '../../lessons/service/erase.ts';
import { eraseFromMessages } from '../../messages/service/erase.ts';
import { eraseFromPayments } from '../../payments/service/erase.ts';
import { eraseFromPeople } from '../../students/service/erase.ts';
import { deleteExports } from '../queries/exports.ts';
import { forgetAnswers } from '../queries/traces.ts';

/** One person, out of every place of the book at once or of none. What is left are amounts without a name. */
export async function erasePerson(
  context: Context,
  tutorId: string,
  input: EraseInput,
): Promise<void> {
  const { kind } = input;
  await context.db.withTutor(tutorId, async (tx) => {
    const person = await eraseFromPeople(context, tx, tutorId, input);
    await eraseFromLessons(context, tx, tutorId, person);
    const accounts = await eraseFromPayments(context, tx, tutorId, person);
    await eraseFromInvoices(tx, tutorId, person, accounts);
    await eraseFromMessages(tx, tutorId, person, accounts);
    // Files that were made before still have the person in them.
    await deleteExports(tx, tutorId);
    const pattern = anyOf([...person.marks, person.firstName].filter(Boolean));
    if (pattern !== null) await forgetAnswers(tx, tutorId, pattern);
    await audit(tx, tutorId, { act: 'person_erased', at: context.clock.now(), facts: { kind } });
  });
}
