import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { acceptOverlaps } from './schema-fields.ts';

/* Students and lessons from a file that another program, or a spreadsheet, has written. */

export const IMPORT_KINDS = ['students', 'lessons'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

export const MAX_IMPORT_BYTES = 200_000;
export const MAX_IMPORT_ROWS = { students: 500, lessons: 300 } as const satisfies Record<
  ImportKind,
  number
>;

/** In UTF-8. */
function utf8ByteLength(text: string): number {
  let bytes = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

export const ImportInput = z.object({
  kind: z.enum(IMPORT_KINDS),
  /** The file as it is. */
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
  /** As a spreadsheet counts them: the heading is row 1. */
  row: z.number(),
  what: z.string(),
  state: z.enum(['new', 'there', 'wrong']),
  /** Why it is wrong, or what to know about it. */
  notes: z.array(z.string()),
});
export type ImportRow = z.infer<typeof ImportRow>;

export const ImportPreview = z.object({
  rows: z.array(ImportRow),
  /** Headings that say nothing to us: their columns are left out. */
  unknownColumns: z.array(z.string()),
  /** Lessons that would overlap; importing them wants a yes. */
  overlapping: z.number(),
});
export type ImportPreview = z.infer<typeof ImportPreview>;

export const imports = defineEndpoints({
  previewImport: {
    method: 'POST',
    path: '/api/import/preview',
    access: 'login',
    summary: 'What importing this file would do, row by row; nothing is saved',
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
    reply: z.object({ added: z.number(), there: z.number() }),
    status: 201,
    idempotent: true,
    largeBody: true,
  },
});
