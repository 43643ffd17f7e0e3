import { firstName } from '@lessonbook/contract/first-name';
import type { InvoiceDraftUpdate } from '@lessonbook/contract/invoice-inputs';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { seatKey } from '../../lessons/events.ts';
import { formatEntryLabel } from '../../payments/service/charges.ts';
import type { NewLine } from '../queries/invoice-lines.ts';
import type { InvoiceRecord } from '../queries/invoices.ts';
import {
  type LineCandidate,
  uninvoicedCharges,
  upcomingSessions,
} from '../queries/uninvoiced-charges-and-sessions.ts';
import { toSessionLines } from './session-lines.ts';

/** Uses first names only, because families may pass invoices on. */
export const toNewLine = (candidate: LineCandidate): NewLine => ({
  chargeId: candidate.chargeId,
  sessionId: candidate.sessionId,
  studentId: candidate.studentId,
  studentName: candidate.studentName === null ? null : firstName(candidate.studentName),
  description: formatEntryLabel(candidate),
  date: candidate.date,
  amount: candidate.amount,
});

interface DraftContent extends Pick<InvoiceRecord, 'familyId' | 'familyName' | 'currency'> {
  lines: InvoiceDraftUpdate['lines'];
  /** The lessons of a new draft must not be on another draft. */
  isNew?: boolean;
}

/** Lesson amounts come from the database; only items that are not lessons take their amount from the client. */
export async function validateLines(
  tx: Tx,
  tutorId: string,
  drafts: readonly DraftContent[],
  today: string,
): Promise<NewLine[][]> {
  const lines = drafts.flatMap((draft) => draft.lines);
  const chargeIds = lines.flatMap((line) => line.chargeId ?? []);
  const sessionIds = lines.flatMap((line) => (line.chargeId ? [] : (line.sessionId ?? [])));
  const charges = await uninvoicedCharges(tx, tutorId, { chargeIds }).execute();
  const upcoming = await upcomingSessions(tx, tutorId, { sessionIds }).execute();
  const candidates: LineCandidates = {
    byCharge: new Map(charges.map((charge) => [charge.chargeId, charge])),
    bySession: Map.groupBy(toSessionLines(upcoming), ({ sessionId }) => sessionId),
  };
  return drafts.map((draft) => validateDraft(draft, candidates, today));
}

interface LineCandidates {
  byCharge: ReadonlyMap<LineCandidate['chargeId'], LineCandidate>;
  bySession: ReadonlyMap<LineCandidate['sessionId'], readonly LineCandidate[]>;
}

function validateDraft(draft: DraftContent, candidates: LineCandidates, today: string): NewLine[] {
  const used = new Set<string>();
  return draft.lines.map((line, index) => {
    if (!line.chargeId && !line.sessionId) return toItemLine(line, index, today);
    const found = line.chargeId
      ? candidates.byCharge.get(line.chargeId)
      : findSessionLine(candidates, draft, line);
    const belongsToDraft = found?.familyId === draft.familyId && found.currency === draft.currency;
    if (!found || !belongsToDraft || (draft.isNew && found.onDraft)) {
      throw draftOutdatedError(draft.familyName);
    }
    const key = `${found.chargeId} ${seatKey(found)}`;
    if (used.has(key)) throw draftOutdatedError(draft.familyName);
    used.add(key);
    return toNewLine(found);
  });
}

/** Siblings can attend the same session, so a line without a student matches only if the family has one child in it. */
function findSessionLine(
  { bySession }: LineCandidates,
  { familyId }: DraftContent,
  { sessionId, studentId }: InvoiceDraftUpdate['lines'][number],
): LineCandidate | undefined {
  const found = (bySession.get(sessionId ?? null) ?? []).filter(
    (session) =>
      session.familyId === familyId && session.studentId === (studentId ?? session.studentId),
  );
  return found.length === 1 ? found[0] : undefined;
}

function toItemLine(
  line: InvoiceDraftUpdate['lines'][number],
  index: number,
  today: string,
): NewLine {
  const { description, amount } = line;
  if (!description || !amount) {
    const message = description ? 'Please enter an amount' : 'Please enter a description';
    const field = description ? 'amount' : 'description';
    throw new AppError('invalid', message, { fields: { [`lines.${index}.${field}`]: message } });
  }
  const noReferences = { chargeId: null, sessionId: null, studentId: null, studentName: null };
  return { ...noReferences, description, amount, date: today };
}

export const draftOutdatedError = (familyName: string): AppError =>
  new AppError(
    'conflict',
    `Some lessons on the draft for ${familyName} have changed. Please check it again.`,
  );
