import type { ImportInput, ImportPreview } from '@lessonbook/contract/import';
import type { Context } from '../../../context.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { RateLimit } from '../../../platform/http/rate-limiter.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { changeSchedule, openScheduleTx } from '../../lessons/service/schedule-transaction.ts';
import { addLessons, planLessons, previewLessons } from './import-lessons.ts';
import { addStudents, planStudents } from './import-students.ts';
import { getNewInputsOrThrow, type PlannedRow, parseImportFile } from './parse-file.ts';

const importByTutor: RateLimit = { name: 'import-tutor', burst: 60, perSeconds: 3600 };

const toImportRows = (planned: readonly PlannedRow<unknown>[]) =>
  planned.map(({ row, what, state, notes }) => ({ row, what, state, notes }));

/** Reads one snapshot without the tutor's lock, so that other changes do not wait for a large file. */
export async function previewImport(
  context: Context,
  tutorId: string,
  { kind, text }: ImportInput,
): Promise<ImportPreview> {
  await context.limiter.consume(importByTutor, tutorId);
  const { rows, unknownColumns } = parseImportFile(kind, text);
  if (kind === 'students') {
    const planned = await context.db.tutorSnapshot(tutorId, (tx) =>
      planStudents(tx, tutorId, rows),
    );
    return { rows: toImportRows(planned), unknownColumns, overlapCount: 0 };
  }
  const preview = await context.db.tutorSnapshot(tutorId, async (tx) => {
    const schedule = await openScheduleTx(context, tx, tutorId);
    return previewLessons(schedule, await planLessons(schedule, rows));
  });
  return { rows: toImportRows(preview.rows), unknownColumns, overlapCount: preview.overlapCount };
}

/** Imports either all rows or none, in one transaction. A repeated request changes nothing. */
export async function importFile(
  context: Context,
  tutorId: string,
  { kind, text, acceptOverlaps = false }: ImportInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<{ added: number; existing: number }> {
  await context.limiter.consume(importByTutor, tutorId);
  const { rows } = parseImportFile(kind, text);
  return changeSchedule(context, tutorId, (schedule) =>
    withIdempotency(schedule.tx, tutorId, idempotencyKey, schedule.now, async () => {
      const { tx, now } = schedule;
      if (kind === 'students') {
        const inputs = getNewInputsOrThrow(await planStudents(tx, tutorId, rows));
        await addStudents(context, tx, tutorId, inputs);
        const added = inputs.length;
        await recordAudit(tx, tutorId, {
          action: 'students_imported',
          at: now,
          metadata: { count: added },
        });
        return { added, existing: rows.length - added };
      }
      const inputs = getNewInputsOrThrow(await planLessons(schedule, rows));
      await addLessons(schedule, inputs, acceptOverlaps);
      const added = inputs.length;
      await recordAudit(tx, tutorId, {
        action: 'lessons_imported',
        at: now,
        metadata: { count: added },
      });
      return { added, existing: rows.length - added };
    }),
  );
}
