import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Finding, NO_TRANSACTION } from './project-rules.ts';

/** Matters of taste that this house has decided otherwise, and what migrate.ts does for every file. */
const EXCLUDED_RULES = [
  'prefer-robust-stmts', // a file is one transaction: it is there or it is not
  'prefer-bigint-over-int', // ids are counted for each tutor
  'prefer-bigint-over-smallint',
  'prefer-identity', // there are no sequences
  'require-lock-timeout', // migrate.ts
  'require-statement-timeout', // a concurrent index takes as long as it takes
];

const linter = join(
  dirname(createRequire(import.meta.url).resolve('squawk-cli/package.json')),
  'js/bin/squawk',
);

/** What the linter says about locks and about clients that are still running. */
export function squawkFindings(sql: string): Finding[] {
  const transaction = sql.startsWith(NO_TRANSACTION) ? [] : ['--assume-in-transaction'];
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [
      linter,
      '--reporter=json',
      '--pg-version=15',
      `--exclude=${EXCLUDED_RULES.join(',')}`,
      ...transaction,
    ],
    { input: sql, encoding: 'utf8' },
  );
  // 1 means that it found something.
  if (status !== 0 && status !== 1) throw new Error(`squawk failed: ${stderr}`);
  const found = JSON.parse(stdout) as { line: number; rule_name: string; message: string }[];
  return found.map(({ line, rule_name: rule, message }) => ({ line: line + 1, rule, message }));
}
