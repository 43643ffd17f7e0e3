import type { Tx } from '../../../platform/db.ts';
import { anyOf } from '../../../platform/sweep.ts';
import type { ErasedAccounts } from '../../payments/service/erase.ts';
import type { ErasedPerson } from '../../students/service/erase.ts';
import {
  eraseMessagesTo,
  eraseNotices,
  eraseWordsAbout,
  forgetAddresses,
  forgetBeliefs,
} from '../queries/erase.ts';

/** What was sent stays as a fact; the words, the names and the addresses go. Nothing more is sent. */
export async function eraseFromMessages(
  tx: Tx,
  tutorId: string,
  person: ErasedPerson,
  { own, shared }: ErasedAccounts,
): Promise<void> {
  const addresses = [person.email?.trim().toLowerCase(), person.phone].filter(
    (each) => typeof each === 'string',
  );
  const studentId = person.kind === 'student' ? person.id : null;
  const messageIds = await eraseMessagesTo(tx, tutorId, { familyIds: own, addresses });
  const pattern = wordsFor(person);
  if (pattern !== null) {
    await eraseWordsAbout(tx, tutorId, { familyIds: shared, studentId, pattern });
    await eraseNotices(tx, tutorId, pattern);
  }
  await forgetBeliefs(tx, tutorId, { messageIds, studentId });
  await forgetAddresses(tx, tutorId, addresses);
}

/** Families are written to by first names. As a whole word: Ann is not in Hannah. */
function wordsFor({ firstName, marks }: ErasedPerson): string | null {
  const first = anyOf(firstName === '' ? [] : [firstName]);
  return (
    [anyOf(marks), first && `\\m(${first})\\M`].filter((each) => each !== null).join('|') || null
  );
}
