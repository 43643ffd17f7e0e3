import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { PAST_SESSIONS } from './lessons.ts';
import { acceptOverlaps } from './schema-fields.ts';

/* Importing students and lessons from a CSV file, and lessons from a calendar (ICS). */

export const IMPORT_KINDS = ['students', 'lessons'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

export const MAX_IMPORT_BYTES = 200_000;
export const MAX_IMPORT_COLUMNS = 100;
export const MAX_IMPORT_ROWS = { students: 500, lessons: 300 } as const satisfies Record<
  ImportKind,
  number
>;

interface ImportField {
  name: string;
  /** The heading of the column in the template. */
  label: string;
  required?: true;
  /** The value in the template. */
  example: string;
}

/** What a column can contain. Either the full name or both the first and last name are required. */
export const IMPORT_FIELDS: Record<ImportKind, readonly ImportField[]> = {
  students: [
    { name: 'name', label: 'Name', required: true, example: 'Maya Okafor' },
    { name: 'firstName', label: 'First name', example: '' },
    { name: 'lastName', label: 'Last name', example: '' },
    { name: 'phone', label: 'Phone', example: '' },
    { name: 'email', label: 'Email', example: 'maya@example.com' },
    { name: 'subject', label: 'Subject', example: 'Maths' },
    { name: 'notes', label: 'Notes', example: '' },
    { name: 'school', label: 'School', example: 'Mill Lane School' },
    { name: 'schoolYear', label: 'School year', example: 'Year 9' },
    { name: 'carerName', label: 'Carer name', example: 'Ruth Okafor' },
    { name: 'carerFirstName', label: 'Carer first name', example: '' },
    { name: 'carerLastName', label: 'Carer last name', example: '' },
    { name: 'carerRelationship', label: 'Relationship', example: 'Mother' },
    { name: 'carerPhone', label: 'Carer phone', example: '07700 900123' },
    { name: 'carerEmail', label: 'Carer email', example: 'ruth@example.com' },
    // Positive if owed, negative if in credit.
    { name: 'openingBalance', label: 'Opening balance', example: '70.00' },
  ],
  lessons: [
    { name: 'student', label: 'Student', required: true, example: 'Maya Okafor' },
    { name: 'subject', label: 'Subject', example: 'Maths' },
    { name: 'date', label: 'Date', required: true, example: '17/11/2026' },
    { name: 'start', label: 'Start', required: true, example: '16:00' },
    { name: 'end', label: 'End', example: '17:00' },
    { name: 'duration', label: 'Duration', example: '' },
    { name: 'fee', label: 'Fee', example: '35' },
    { name: 'repeats', label: 'Repeats', example: 'weekly' },
    { name: 'until', label: 'Until', example: '18/12/2026' },
    { name: 'place', label: 'Location', example: 'Online' },
    { name: 'notes', label: 'Notes', example: '' },
  ],
};

function utf8ByteLength(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

export const ImportInput = z.object({
  kind: z.enum(IMPORT_KINDS),
  /** The contents of the file. */
  text: z.string({ error: 'Please choose a file' }).check(
    z.minLength(1, 'The file is empty'),
    z.refine(
      (text) => utf8ByteLength(text) <= MAX_IMPORT_BYTES,
      'The file is too large: 200 kB at most',
    ),
  ),
  /** What each column contains, in order; null means that it is ignored. By default, this is derived from the headings. */
  columns: z.optional(
    z.array(z.nullable(z.string().check(z.maxLength(40)))).check(z.maxLength(MAX_IMPORT_COLUMNS)),
  ),
  /** What to do with lessons before today. */
  pastSessions: z._default(z.enum(PAST_SESSIONS), 'unpaid'),
  /** Unless this is true, overlapping lessons are not imported. */
  acceptOverlaps,
});
export type ImportInput = z.input<typeof ImportInput>;

export const ImportRow = z.object({
  /** The row number in the spreadsheet, where the header is row 1; or the position of the event in the calendar. */
  row: z.number(),
  what: z.string(),
  /** 'updated' fills in missing details of a student. */
  state: z.enum(['new', 'updated', 'existing', 'overlapping', 'invalid']),
  /** What the import creates or changes: '3 lessons, 1 of them in the past'. */
  makes: z.nullable(z.string()),
  /** Errors or warnings. */
  notes: z.array(z.string()),
});
export type ImportRow = z.infer<typeof ImportRow>;

export const ImportPreview = z.object({
  rows: z.array(ImportRow),
  /** The columns of the file and what they contain; null means that the column is ignored. Empty for a calendar. */
  columns: z.array(z.object({ heading: z.string(), field: z.nullable(z.string()) })),
  /** Required fields that no column contains. If there are any, `rows` is empty. */
  missingFields: z.array(z.string()),
  /** The number of lessons before today; `pastSessions` determines what happens to them. */
  pastCount: z.number(),
});
export type ImportPreview = z.infer<typeof ImportPreview>;

export const ImportResult = z.object({
  added: z.number(),
  updated: z.number(),
  /** Rows that already exist, so they are not changed. */
  existing: z.number(),
  /** Rows with errors, and overlapping lessons that were not accepted. */
  skipped: z.number(),
});
export type ImportResult = z.infer<typeof ImportResult>;

export const imports = defineEndpoints({
  previewImport: {
    method: 'POST',
    path: '/api/import/preview',
    access: 'login',
    summary: 'Preview an import row by row, without saving',
    body: ImportInput,
    reply: ImportPreview,
    largeBody: true,
  },
  importFile: {
    method: 'POST',
    path: '/api/import',
    access: 'login',
    summary: 'Import students or lessons; rows with errors are left out',
    body: ImportInput,
    reply: ImportResult,
    status: 201,
    idempotent: true,
    largeBody: true,
  },
});
