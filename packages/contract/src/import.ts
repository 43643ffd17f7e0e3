import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { acceptOverlaps } from './schema-fields.ts';

/* Importing students and lessons from a CSV file. */

export const IMPORT_KINDS = ['students', 'lessons'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

export const MAX_IMPORT_BYTES = 200_000;
export const MAX_IMPORT_COLUMNS = 100;
export const MAX_IMPORT_ROWS = { students: 500, lessons: 300 } as const satisfies Record<
  ImportKind,
  number
>;

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
  acceptOverlaps,
});
export type ImportInput = z.input<typeof ImportInput>;

export const ImportRow = z.object({
  /** The row number in the spreadsheet; the header is row 1. */
  row: z.number(),
  what: z.string(),
  state: z.enum(['new', 'existing', 'invalid']),
  /** Errors or warnings. */
  notes: z.array(z.string()),
});
export type ImportRow = z.infer<typeof ImportRow>;

export const ImportPreview = z.object({
  rows: z.array(ImportRow),
  /** Unrecognised column headings; these columns are ignored. */
  unknownColumns: z.array(z.string()),
  /** The number of lessons that would overlap; if there are any, the import needs `acceptOverlaps`. */
  overlapCount: z.number(),
});
export type ImportPreview = z.infer<typeof ImportPreview>;

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
    summary: 'Import students or lessons, all rows or none',
    body: ImportInput,
    reply: z.object({ added: z.number(), existing: z.number() }),
    status: 201,
    idempotent: true,
    largeBody: true,
  },
});
