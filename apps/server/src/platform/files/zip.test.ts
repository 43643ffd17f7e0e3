import { randomBytes } from 'node:crypto';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { ZipWriter } from './zip.ts';

test('what is packed in pieces of a megabyte is unpacked whole', async () => {
  const pieces: Buffer[] = [];
  const zip = new ZipWriter(new Date('2026-11-16T12:00:00Z'), async (piece) => {
    pieces.push(piece);
  });
  // Cannot be made smaller by much, so that there is more than one piece.
  const long = Array.from({ length: 40 }, () => randomBytes(60_000).toString('base64'));
  await zip.add('README.txt', ['Grüße, ', 'Ada']);
  await zip.add('json/long.json', long);
  await zip.finish();
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.every((piece) => piece.length <= 1024 * 1024)).toBe(true);
  const files = unzipSync(Buffer.concat(pieces));
  expect(strFromU8(files['README.txt'] as Uint8Array)).toBe('Grüße, Ada');
  expect(strFromU8(files['json/long.json'] as Uint8Array)).toBe(long.join(''));
});
