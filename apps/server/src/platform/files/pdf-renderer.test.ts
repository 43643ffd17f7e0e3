import { afterEach, expect, test } from 'vitest';
import type { EndlessDrawFunctions } from '../../test/endless-pdf-thread.ts';
import { PdfRenderer } from './pdf-renderer.ts';

const entryFile = new URL('../../test/endless-pdf-thread.ts', import.meta.url);
const now = new Date('2026-11-16T12:00:00Z');

let renderer: PdfRenderer<EndlessDrawFunctions>;
const startRenderer = (timeLimitMs: number) => {
  renderer = new PdfRenderer(entryFile, timeLimitMs);
  return renderer;
};
afterEach(() => renderer.close());

test('F01 a document that takes too long is stopped, and the next one is rendered', async () => {
  const pdf = startRenderer(2000);
  await expect(pdf.render('ada', 'endless', { now })).rejects.toMatchObject({
    code: 'unavailable',
    retryAfterSeconds: 60,
  });
  expect(String(await pdf.render('ada', 'short', { now }))).toBe('short');
});

test("F01 one tutor's documents do not delay another's, and at most 20 of them are queued", async () => {
  const pdf = startRenderer(20_000);
  const documents = Array.from({ length: 21 }, (_, index) =>
    pdf.render('ada', 'endless', { now, index } as { now: Date }).catch((error: unknown) => error),
  );
  expect(await documents[20]).toMatchObject({ code: 'unavailable' });
  expect(String(await pdf.render('leo', 'short', { now }))).toBe('short');
  await pdf.close();
  await Promise.all(documents);
});
