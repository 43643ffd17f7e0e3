import { missingShares } from '../../payments/service/charges.ts';
import type { LineCandidate, UpcomingSeat } from '../queries/uninvoiced-charges-and-sessions.ts';

/** A line for each payer's share that is not charged yet, ordered by family; only one family's lines if `familyId` is set. */
export const toSessionLines = (
  sessions: readonly UpcomingSeat[],
  familyId?: number,
): LineCandidate[] =>
  sessions
    .flatMap(({ fee, charges, payers, draftFamilyIds, ownFamilyId, ...session }) =>
      missingShares(fee, { fee, charges, date: session.date }, payers).map((share) => ({
        ...session,
        // A student who pays for themselves is not named on their own invoice.
        studentName: share.familyId === ownFamilyId ? null : session.studentName,
        familyId: share.familyId,
        amount: share.amount,
        chargeId: null,
        kind: 'lesson',
        description: null,
        outstanding: null,
        onDraft: draftFamilyIds.includes(share.familyId),
      })),
    )
    .filter((line) => familyId === undefined || line.familyId === familyId)
    .toSorted((a, b) => a.familyId - b.familyId);
