import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const hook = fileURLToPath(new URL('../tools/git-hooks/commit-msg', import.meta.url));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commit-msg-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function runHook(message: string) {
  const file = join(folder, 'message');
  writeFileSync(file, message);
  return spawnSync('sh', [hook, file], { encoding: 'utf8' });
}

test('accepts a 72-character subject, however long the body is', () => {
  expect(runHook(`${'x'.repeat(72)}\n\n${'y'.repeat(200)}\n`).status).toBe(0);
});

test('rejects a 73-character subject and prints its length', () => {
  const { status, stderr } = runHook(`${'x'.repeat(73)}\n`);
  expect(status).toBe(1);
  expect(stderr).toContain('73 characters');
});

test('accepts the messages that git generates for merges and reverts', () => {
  expect(runHook(`Merge branch '${'x'.repeat(80)}'\n`).status).toBe(0);
  expect(runHook(`Revert "${'x'.repeat(80)}"\n`).status).toBe(0);
});
