import { firstName } from '@lessonbook/contract/first-name';
import type {
  DepartureInput,
  DeparturePreview,
  LeavingFamily,
  LeavingStudent,
  SaveDepartureInput,
} from '@lessonbook/contract/student-departures';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import { sha256 } from '../../../platform/crypto/tokens.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import {
  dryRun,
  runScheduleTransaction,
  type ScheduleTx,
} from '../../lessons/service/schedule-transaction.ts';
import { leave } from '../../lessons/service/student-departures.ts';
import { createDrafts, getDraftRecipients } from '../../messages/service/outbound/drafts.ts';
import { getFamiliesByIds } from '../../payments/service/families.ts';
import { getStudentsByIds, studentNotFound } from '../../students/service/students.ts';
import {
  familiesOfStudents,
  portalOpenedAt,
  uninvoicedCharges,
} from '../queries/families-and-uninvoiced-charges.ts';
import { renderDeparture } from '../rules/departure-text.ts';

/** Makes the change and rolls it back, so that the preview shows what will be saved. */
export const previewDeparture = (
  context: Context,
  tutorId: string,
  input: DepartureInput,
): Promise<DeparturePreview> =>
  dryRun(context, tutorId, (schedule) => applyDeparture(schedule, input));

/** Saves exactly what the preview showed. Throws if that has changed. */
export async function saveDeparture(
  context: Context,
  tutorId: string,
  { fingerprint, drafts, ...input }: SaveDepartureInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<{ students: number; cancelled: number; chargedSessions: number; messages: number }> {
  return runScheduleTransaction(context, tutorId, (schedule) =>
    withIdempotency(schedule.tx, tutorId, idempotencyKey, schedule.now, async () => {
      const preview = await applyDeparture(schedule, input);
      if (preview.fingerprint !== fingerprint)
        throw new AppError(
          'conflict',
          'The students or their lessons have changed since the preview, so nothing was saved. Please check again.',
        );
      const messages = drafts ? await draftMessages(schedule, preview.families) : 0;
      const counts = {
        students: preview.students.length,
        cancelled: countSessions(preview.students, 'cancelled'),
        chargedSessions: countSessions(preview.students, 'charged'),
      };
      await recordAudit(schedule.tx, tutorId, {
        action: 'students_left',
        at: schedule.now,
        metadata: { ...counts, from: input.lastDate },
      });
      return { ...counts, messages };
    }),
  );
}

const countSessions = (students: readonly LeavingStudent[], key: 'cancelled' | 'charged'): number =>
  students.reduce((sum, student) => sum + student[key].length, 0);

async function applyDeparture(
  schedule: ScheduleTx,
  input: DepartureInput,
): Promise<DeparturePreview> {
  const { tx, tutorId } = schedule;
  const ids = [...new Set(input.studentIds)].toSorted((a, b) => a - b);
  const before = await getStudentsByIds(tx, tutorId, ids);
  if (before.length !== ids.length) throw studentNotFound();
  const students: LeavingStudent[] = [];
  for (const id of ids) students.push(await leave(schedule, id, input));
  const families = await readFamilies(schedule, students);
  // Addresses and balances are left out, because they do not change what is saved.
  const content = [
    { ...input, studentIds: ids },
    before.map(({ status, leftOn, portalEndsOn, pause }) => [status, leftOn, portalEndsOn, pause]),
    students.map(({ cancelled, charged, restored }) => [
      cancelled.map(({ id }) => id),
      charged.map(({ session, amount, currency }) => [session.id, amount, currency]),
      restored.map(({ id }) => id),
    ]),
    families.map(({ familyId }) => familyId),
  ];
  const fingerprint = sha256(JSON.stringify(content)).toString('base64url');
  return { fingerprint, students, families };
}

/** The accounts after the change, with a message to each main contact. */
async function readFamilies(
  { context, tx, tutorId, today }: ScheduleTx,
  students: readonly LeavingStudent[],
): Promise<LeavingFamily[]> {
  const ids = students.map(({ student }) => student.id);
  const links = await familiesOfStudents(tx, tutorId, ids, today).execute();
  const familyIds = [...new Set(links.map(({ familyId }) => familyId))];
  const [uninvoiced, [portal]] = await executeBatch(tx, [
    uninvoicedCharges(tx, tutorId, familyIds),
    portalOpenedAt(tx, tutorId),
  ]);
  const mainIds = new Set(links.flatMap(({ isMain, familyId }) => (isMain ? [familyId] : [])));
  const { recipients, formatDate, tutor } = await getDraftRecipients(context, tx, tutorId, [
    ...mainIds,
  ]);
  const families = await getFamiliesByIds(tx, tutorId, familyIds);
  return families.map(({ id, name, balances }) => {
    const studentsOf = (linked: readonly { studentId: number }[]) =>
      students.filter(({ student }) => linked.some(({ studentId }) => studentId === student.id));
    const own = links.filter(({ familyId }) => familyId === id);
    const recipient = recipients.find(({ familyId }) => familyId === id);
    return {
      familyId: id,
      name,
      students: studentsOf(own).map(({ student }) => firstName(student.name)),
      balances,
      uninvoiced: uninvoiced.flatMap(({ familyId, ...row }) => (familyId === id ? [row] : [])),
      message: recipient
        ? {
            toName: recipient.toName,
            channel: recipient.channel,
            address: recipient.address,
            problem: recipient.problem,
            ...renderDeparture(studentsOf(own.filter(({ isMain }) => isMain)), {
              toName: recipient.toName,
              readerId: recipient.studentId,
              tutor,
              isPortalOpen: Boolean(portal?.openedAt),
              formatDate,
            }),
          }
        : null,
    };
  });
}

function draftMessages(
  { context, tx, tutorId }: ScheduleTx,
  families: readonly LeavingFamily[],
): Promise<number> {
  const drafts = families.flatMap(({ familyId, message }) => {
    if (!message || message.problem !== null || !message.address) return [];
    const { problem: _problem, address, ...rest } = message;
    return [{ familyId, ...rest, address }];
  });
  return createDrafts(context, tx, tutorId, drafts);
}
