import type { ImportInput, ImportPreview } from '@lessonbook/contract/import';
import type { Context } from '../../../context.ts';
import { audit } from '../../../platform/audit.ts';
import { once, type Repeatable } from '../../../platform/idempotency.ts';
import type { Limit } from '../../../platform/rate-limit.ts';
import { changeSchedule, rehearse } from '../../lessons/service/schedule.ts';
import { mustBeGood, openFile, type Planned } from './import-file.ts';
import { addLessons, planLessons, tryLessons } from './import-lessons.ts';
import { addStudents, planStudents } from './import-students.ts';

const importByTutor: Limit = { name: 'import-tutor', burst: 60, perSeconds: 3600 };

const asRows = (planned: readonly Planned<unknown>[]) =>
  planned.map(({ row, what, state, notes }) => ({ row, what, state, notes }));

/** Lessons are added and taken back, so that what is shown is what will happen. */
export async function previewImport(
  context: Context,
  tutorId: string,
  { kind, text }: ImportInput,
): Promise<ImportPreview> {
  await context.limiter.take(importByTutor, tutorId);
  const { rows, unknownColumns } = openFile(kind, text);
  if (kind === 'students') {
    const planned = await context.db.lookAtTutor(tutorId, (tx) => planStudents(tx, tutorId, rows));
    return { rows: asRows(planned), unknownColumns, overlapping: 0 };
  }
  const tried = await rehearse(context, tutorId, async (book) =>
    tryLessons(book, await planLessons(book, rows)),
  );
  return { rows: asRows(tried.rows), unknownColumns, overlapping: tried.overlapping };
}

/** In one transaction: a file is in the book whole, or not at all. A repeat of the same click changes nothing. */
export async function importFile(
  context: Context,
  tutorId: string,
  { kind, text, acceptOverlaps = false }: ImportInput,
  repeat: Repeatable | null,
): Promise<{ added: number; there: number }> {
  await context.limiter.take(importByTutor, tutorId);
  const { rows } = openFile(kind, text);
  return changeSchedule(context, tutorId, (book) =>
    once(book.tx, tutorId, repeat, book.now, async () => {
      const { tx, now } = book;
      if (kind === 'students') {
        const inputs = mustBeGood(await planStudents(tx, tutorId, rows));
        await addStudents(context, tx, tutorId, inputs);
        const added = inputs.length;
        await audit(tx, tutorId, { act: 'students_imported', at: now, facts: { count: added } });
        return { added, there: rows.length - added };
      }
      const inputs = mustBeGood(await planLessons(book, rows));
      await addLessons(book, inputs, acceptOverlaps);
      const added = inputs.length;
      await audit(tx, tutorId, { act: 'lessons_imported', at: now, facts: { count: added } });
      return { added, there: rows.length - added };
    }),
  );
}
