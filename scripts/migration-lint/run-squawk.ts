import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Finding, NO_TRANSACTION } from './project-rules.ts';

/** Rules that do not fit this project or that migrate.ts already covers. */
const EXCLUDED_RULES = [
  'prefer-robust-stmts', // each file is one transaction
  'prefer-bigint-over-int', // ids are numbered per tutor
  'prefer-bigint-over-smallint',
  'prefer-identity', // the schema has no sequences
  'require-lock-timeout', // migrate.ts sets it
  'require-statement-timeout', // building an index concurrently may take a long time
];

const squawkBinary = join(
  dirname(createRequire(import.meta.url).resolve('squawk-cli/package.json')),
  'js/bin/squawk',
);

/** Squawk's findings about locks and about breaking clients of the old schema. */
export function runSquawk(sql: string): Finding[] {
  const transaction = sql.startsWith(NO_TRANSACTION) ? [] : ['--assume-in-transaction'];
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [
      squawkBinary,
      '--reporter=json',
      '--pg-version=15',
      `--exclude=${EXCLUDED_RULES.join(',')}`,
      ...transaction,
    ],
    { input: sql, encoding: 'utf8' },
  );
  // Exit code 1 means that there are findings.
  if (status !== 0 && status !== 1) throw new Error(`squawk failed: ${stderr}`);
  const found = JSON.parse(stdout) as { line: number; rule_name: string; message: string }[];
  return found.map(({ line, rule_name: rule, message }) => ({ line: line + 1, rule, message }));
}
