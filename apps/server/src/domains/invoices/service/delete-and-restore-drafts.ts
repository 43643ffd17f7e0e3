import type { DeletedDraft } from '@lessonbook/contract/delete-and-restore-invoice-drafts';
import type { Currency } from '@lessonbook/contract/money';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { getPayers } from '../../payments/service/amounts-owed-and-transfer-claims.ts';
import { CREATED_BY_TUTOR } from '../../payments/service/charges.ts';
import { linesByInvoices, type NewLine, replaceLines } from '../queries/invoice-lines.ts';
import { deleteInvoices, insertDrafts } from '../queries/invoices.ts';
import { getDraftsOrThrow } from './guards.ts';
import { validateLines } from './validate-draft-lines.ts';

/** Deletes the drafts, all or none, and returns what is needed to restore them. */
export async function deleteDrafts(
  context: Context,
  tutorId: string,
  ids: readonly number[],
): Promise<DeletedDraft[]> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const drafts = await getDraftsOrThrow(tx, tutorId, [...new Set(ids)]);
    const lines = Map.groupBy(
      await linesByInvoices(tx, tutorId, ids).execute(),
      ({ invoiceId }) => invoiceId,
    );
    await deleteInvoices(tx, tutorId, ids);
    return drafts.map(({ id, familyId, currency, periodFrom, periodTo, dueOn, note }) => ({
      familyId,
      currency: currency as Currency,
      periodFrom,
      periodTo,
      dueOn,
      note,
      lines: (lines.get(id) ?? []).map(toLineInput),
    }));
  });
}

/** Leaves out what is read again when the draft is restored, so that the request stays below the size limit. */
function toLineInput({
  chargeId,
  sessionId,
  studentId,
  description,
  amount,
}: NewLine): DeletedDraft['lines'][number] {
  if (chargeId) return { chargeId };
  return sessionId ? { sessionId, studentId } : { description, amount };
}

/** Creates deleted drafts again, all or none. Fails if a lesson has changed or is on another draft. */
export async function restoreDrafts(
  context: Context,
  tutorId: string,
  deleted: readonly DeletedDraft[],
  idempotencyKey: IdempotencyKey | null,
): Promise<number[]> {
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      const familyIds = [...new Set(deleted.map(({ familyId }) => familyId))];
      const families = await getPayers(tx, tutorId, familyIds);
      if (families.size < familyIds.length) throw new AppError('not_found', 'Family not found');
      const today = dateInZone(await getTimeZone(tx, tutorId), now);
      const contents = deleted.map((draft) => ({
        ...draft,
        familyName: families.get(draft.familyId)?.name ?? '',
        isNew: true,
      }));
      const lines = await validateLines(tx, tutorId, contents, today);
      const ids = await nextIdsForKind(tx, tutorId, 'invoice', deleted.length);
      const drafts = deleted.map((draft, index) => ({
        ...draft,
        id: ids[index] as number,
        kind: 'invoice' as const,
        correctedInvoiceId: null,
        createdBy: CREATED_BY_TUTOR,
        now,
      }));
      await insertDrafts(tx, tutorId, drafts);
      await replaceLines(
        tx,
        tutorId,
        ids.map((invoiceId, index) => ({ invoiceId, lines: lines[index] ?? [] })),
      );
      return ids;
    }),
  );
}
