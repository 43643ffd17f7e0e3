import type { Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { createSharedLinks } from '../../../platform/payment-and-feed-link-tokens.ts';
import { findFamilies, insertFamilies } from '../queries/family-accounts.ts';
import { buildPaymentReference } from '../rules/reference.ts';

/** Returns the account of each contact, in order, and creates those that are missing. */
export async function getOrCreateFamilies(
  tx: Tx,
  tutorId: string,
  contactIds: readonly number[],
  now: Date,
): Promise<number[]> {
  if (contactIds.length === 0) return [];
  const existing = await findFamilies(tx, tutorId, contactIds);
  const idByContact = new Map(existing.map(({ id, contactId }) => [contactId, id]));
  const missing = [...new Set(contactIds)].filter((contactId) => !idByContact.has(contactId));
  for (const { id, contactId } of await createFamilies(tx, tutorId, missing, now))
    idByContact.set(contactId, id);
  return contactIds.map((contactId) => idByContact.get(contactId) as number);
}

async function createFamilies(
  tx: Tx,
  tutorId: string,
  contactIds: readonly number[],
  now: Date,
): Promise<{ id: number; contactId: number }[]> {
  if (contactIds.length === 0) return [];
  const ids = await nextIdsForKind(tx, tutorId, 'family', contactIds.length);
  const families = contactIds.map((contactId, index) => {
    const id = ids[index] as number;
    return { id, contactId, reference: buildPaymentReference(id) };
  });
  await insertFamilies(tx, tutorId, families, now);
  await createSharedLinks(tx, tutorId, 'balance', ids, now);
  return families;
}
