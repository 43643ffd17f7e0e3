import type { Tx } from '../../../platform/db/database.ts';
import { toRegexAlternation } from '../../../platform/db/redact-text-columns.ts';
import type { ErasedAccounts } from '../../payments/service/erase.ts';
import type { ErasedPerson } from '../../students/service/erase.ts';
import {
  deleteAddressPreferences,
  deleteMessageSessionRecords,
  eraseMessagesTo,
  eraseNotifications,
  eraseTextAbout,
} from '../queries/erase.ts';

/** Keeps the message rows but clears their text, names and addresses. Pending messages are dismissed. */
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
  const messages = await eraseMessagesTo(tx, tutorId, { person, familyIds: own, addresses });
  const pattern = namePattern(person);
  if (pattern !== null) {
    await eraseTextAbout(tx, tutorId, { familyIds: shared, studentId, pattern });
    await eraseNotifications(tx, tutorId, pattern);
  }
  await deleteMessageSessionRecords(tx, tutorId, {
    messageIds: messages.map(({ id }) => id),
    studentId,
  });
  await deleteAddressPreferences(tx, tutorId, {
    addresses: [...addresses, ...messages.map(({ address }) => address)],
    pattern: toRegexAlternation(person.identifiers),
  });
}

/** Messages use first names, so the first name is also matched, but only as a whole word: Ann must not match Hannah. */
function namePattern({ firstName, identifiers }: ErasedPerson): string | null {
  const first = toRegexAlternation(firstName === '' ? [] : [firstName]);
  return (
    [toRegexAlternation(identifiers), first && `\\m(${first})\\M`]
      .filter((each) => each !== null)
      .join('|') || null
  );
}
