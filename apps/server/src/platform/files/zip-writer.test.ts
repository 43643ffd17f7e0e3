import { randomBytes } from 'node:crypto';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { ZipWriter } from './zip-writer.ts';

test('writes a valid archive in chunks of at most 1 MiB', async () => {
  const chunks: Buffer[] = [];
  const zip = new ZipWriter(new Date('2026-11-16T12:00:00Z'), async (chunk) => {
    chunks.push(chunk);
  });
  // Random data barely compresses, so the archive needs more than one chunk.
  const long = Array.from({ length: 40 }, () => randomBytes(60_000).toString('base64'));
  await zip.add('README.txt', ['Grüße, ', 'Ada']);
  await zip.add('json/long.json', long);
  await zip.finish();
  expect(chunks.length).toBeGreaterThan(2);
  expect(chunks.every((chunk) => chunk.length <= 1024 * 1024)).toBe(true);
  const files = unzipSync(Buffer.concat(chunks));
  expect(strFromU8(files['README.txt'] as Uint8Array)).toBe('Grüße, Ada');
  expect(strFromU8(files['json/long.json'] as Uint8Array)).toBe(long.join(''));
});
