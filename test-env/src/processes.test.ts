import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startProcess } from './processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'lessonbook-processes-'));
afterAll(() => rmSync(folder, { recursive: true }));

function program(name: string, source: string): string {
  const file = join(folder, `${name}.ts`);
  writeFileSync(file, source);
  return file;
}

test('passes the environment and waits for a line', async () => {
  const file = program(
    'greet',
    `console.log('hello ' + process.env.WHO as string); setInterval(() => {}, 1000);`,
  );
  const greeter = startProcess('greeter', file, { WHO: 'Ada' });
  expect(await greeter.waitForLine(/hello/)).toBe('hello Ada');
  expect(greeter.output()).toBe('hello Ada\n');

  greeter.kill('SIGKILL');
  expect(await greeter.exited).toEqual({ code: null, signal: 'SIGKILL' });
});

test('fails immediately, with the output, when the process ends before it prints the line', async () => {
  const file = program('fail', `console.error('no luck'); process.exitCode = 3;`);
  const failing = startProcess('failing', file, {});
  await expect(failing.waitForLine(/ready/)).rejects.toThrow(
    /failing ended without a line[^]*no luck/,
  );
  expect(await failing.exited).toEqual({ code: 3, signal: null });
});
