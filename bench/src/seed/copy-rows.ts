import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TableRows } from './shared-row-values.ts';

const CHUNK_LENGTH = 1 << 18;

/**
 * Streams rows into a table with COPY, through Debian's psql. Foreign keys are not checked: the generator is correct by
 * construction, and millions of checks would take longer than the load.
 */
export async function copyRows(
  superuserUrl: string,
  { table, columns, lines }: TableRows,
  tutors: number,
): Promise<void> {
  const psql = spawn(
    'psql',
    [
      '--no-psqlrc',
      '--quiet',
      '--set=ON_ERROR_STOP=1',
      superuserUrl,
      '--command',
      `copy ${table} (${columns}) from stdin`,
    ],
    {
      env: { ...process.env, PGOPTIONS: '-c session_replication_role=replica' },
      stdio: ['pipe', 'inherit', 'pipe'],
    },
  );
  let errorOutput = '';
  psql.stderr.on('data', (text: Buffer) => {
    errorOutput += text.toString();
  });
  const ended = once(psql, 'close');
  // If psql stops reading, it prints the reason on stderr.
  psql.stdin.on('error', () => {});

  let pending = '';
  for (const text of lines(tutors)) {
    pending += text;
    if (pending.length < CHUNK_LENGTH) continue;
    if (psql.exitCode !== null) break;
    if (!psql.stdin.write(pending)) await Promise.race([once(psql.stdin, 'drain'), ended]);
    pending = '';
  }
  psql.stdin.end(pending);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`COPY into ${table} failed:\n${errorOutput}`);
}
