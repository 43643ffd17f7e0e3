import type { ImportInput, ImportPreview, ImportResult } from '@lessonbook/contract/import';
import type { Context } from '../../../context.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { RateLimit } from '../../../platform/http/rate-limiter.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import {
  openScheduleTx,
  runScheduleTransaction,
  type ScheduleTx,
} from '../../lessons/service/schedule-transaction.ts';
import { addLessons, planLessons, previewLessons } from './import-lessons.ts';
import { planStudents, saveStudents } from './import-students.ts';
import {
  assertNoMissingFields,
  type ParsedFile,
  type PlannedRow,
  parseImportFile,
} from './parse-file.ts';

const importByTutor: RateLimit = { name: 'import-tutor', burst: 60, perSeconds: 3600 };

/** Reads one snapshot without the tutor's lock, so that other changes do not wait for a large file. */
export async function previewImport(
  context: Context,
  tutorId: string,
  input: ImportInput,
): Promise<ImportPreview> {
  await context.limiter.consume(importByTutor, tutorId);
  return context.db.wholeAccountSnapshot(tutorId, async (tx) => {
    const schedule = await openScheduleTx(context, tx, tutorId);
    const file = parseImportFile(input, schedule.timeZone);
    const { columns, missingFields } = file;
    const { rows, pastCount } = await planRows(schedule, file, input);
    return {
      rows: rows.map(({ input: _, ...row }) => row),
      columns,
      missingFields,
      pastCount,
    };
  });
}

interface PlannedFile {
  rows: PlannedRow<unknown>[];
  pastCount: number;
  save: () => Promise<void>;
}

/** Rows with errors are left out, and so are overlapping lessons unless the tutor accepts them. */
async function planRows(
  schedule: ScheduleTx,
  file: ParsedFile,
  { kind, pastSessions = 'unpaid', acceptOverlaps = false }: ImportInput,
): Promise<PlannedFile> {
  const { tx, tutorId, context } = schedule;
  if (kind === 'students') {
    const rows = await planStudents(schedule, file.rows);
    const plans = rows.flatMap(({ input }) => input ?? []);
    return { rows, pastCount: 0, save: () => saveStudents(context, tx, tutorId, plans) };
  }
  const planned = await planLessons(schedule, file, pastSessions);
  const { rows, pastCount } = await previewLessons(schedule, planned);
  const inputs = rows.flatMap(({ state, input }) =>
    input && (state === 'new' || acceptOverlaps) ? [input] : [],
  );
  return { rows, pastCount, save: () => addLessons(schedule, inputs) };
}

/** Imports the valid rows in one transaction. A repeated request changes nothing. */
export async function importFile(
  context: Context,
  tutorId: string,
  input: ImportInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<ImportResult> {
  await context.limiter.consume(importByTutor, tutorId);
  return runScheduleTransaction(context, tutorId, (schedule) =>
    withIdempotency(schedule.tx, tutorId, idempotencyKey, schedule.now, async () => {
      const file = parseImportFile(input, schedule.timeZone);
      assertNoMissingFields(file);
      const { rows, save } = await planRows(schedule, file, input);
      await save();
      const count = (state: PlannedRow<unknown>['state']) =>
        rows.filter((row) => row.state === state).length;
      const acceptedCount = input.acceptOverlaps ? count('overlapping') : 0;
      const added = count('new') + acceptedCount;
      await recordAudit(schedule.tx, tutorId, {
        action: input.kind === 'students' ? 'students_imported' : 'lessons_imported',
        at: schedule.now,
        metadata: { count: added },
      });
      return {
        added,
        updated: count('updated'),
        existing: count('existing'),
        skipped: count('invalid') + count('overlapping') - acceptedCount,
      };
    }),
  );
}
