import { type Statement, splitStatements } from './split-statements.ts';

export interface Finding {
  line: number;
  rule: string;
  message: string;
}

/** A file that begins with this runs outside a transaction; see migrate.ts. */
export const NO_TRANSACTION = '-- no-transaction';

/** A file that begins with this is applied while no server runs, so locks and changed columns do not affect requests. */
export const NEEDS_STOP = '-- needs-stop';

const TABLE_NAME = String.raw`(?:if (?:not )?exists )?(?:only )?(?:public\.)?(\w+)`;
const CREATED_TABLE = new RegExp(`^create (?:unlogged )?table ${TABLE_NAME}`);
const ALTERED_TABLE = new RegExp(`^alter table ${TABLE_NAME}`);
const BACKFILLED_TABLE = new RegExp(`^(?:update|delete from|insert into) ${TABLE_NAME}`);
const HEAVY_STATEMENT =
  /^(truncate|lock|cluster|vacuum full|refresh materialized view(?! concurrently))\b/;
/** The only statements that a do block may execute: those that set up tenant tables. */
const TENANT_TABLE_STATEMENTS =
  /^\s*(alter table %i (enable|force) row level security|create policy|grant |revoke )/;

/** Project rules that squawk does not cover. Together with run-squawk.ts, these are the rules in CONTRIBUTING. */
export function checkProjectRules(sql: string): Finding[] {
  const statements = splitStatements(sql);
  const onlineRules = [checkSingleTable, checkSeparateBackfills, checkHeavyLocks];
  return [
    ...checkTransactionUse(sql, statements),
    ...(sql.startsWith(NEEDS_STOP)
      ? checkStopReason(sql)
      : onlineRules.flatMap((check) => check(statements))),
    ...checkDoBlocks(statements),
    ...checkExceptionReasons(sql),
  ].toSorted((a, b) => a.line - b.line);
}

function checkTransactionUse(sql: string, statements: Statement[]): Finding[] {
  if (!sql.startsWith(NO_TRANSACTION))
    return statements
      .filter(({ text }) => /^(create|drop|reindex)\b.* concurrently\b/.test(text))
      .map(({ line }) => ({
        line,
        rule: 'concurrently-needs-no-transaction',
        message: `"concurrently" needs a separate file that begins with ${NO_TRANSACTION}`,
      }));
  if (statements.length <= 1) return [];
  return [
    {
      line: statements[1]?.line ?? 1,
      rule: 'one-statement-without-transaction',
      message:
        'A file without a transaction must contain only one statement: a failure between statements would leave the migration half applied',
    },
  ];
}

const findTables = (statements: Statement[], pattern: RegExp) =>
  statements.flatMap(({ text, line }) => {
    const table = pattern.exec(text)?.[1];
    return table === undefined ? [] : [{ table, line }];
  });

/** Tables that this file alters but does not create. */
function alteredExistingTables(statements: Statement[]) {
  const created = new Set(findTables(statements, CREATED_TABLE).map((each) => each.table));
  return findTables(statements, ALTERED_TABLE).filter((each) => !created.has(each.table));
}

function checkSingleTable(statements: Statement[]): Finding[] {
  const altered = alteredExistingTables(statements);
  const first = altered[0]?.table;
  const other = altered.find((each) => each.table !== first);
  if (!other) return [];
  return [
    {
      line: other.line,
      rule: 'one-table-per-file',
      message: `The lock on ${first} is held while the migration waits for ${other.table}, and requests that lock both tables in the other order would deadlock: use one file for each table`,
    },
  ];
}

function checkSeparateBackfills(statements: Statement[]): Finding[] {
  const altered = new Set(alteredExistingTables(statements).map((each) => each.table));
  return findTables(statements, BACKFILLED_TABLE)
    .filter(({ table }) => altered.has(table))
    .map(({ table, line }) => ({
      line,
      rule: 'separate-backfill',
      message: `${table} is locked by this file until every row is written: put the backfill into the next file`,
    }));
}

function checkHeavyLocks(statements: Statement[]): Finding[] {
  return statements.flatMap(({ text, line }) => {
    if (/^set .*lock_timeout|^set local lock_timeout/.test(text))
      return [
        {
          line,
          rule: 'no-lock-timeout',
          message: 'Do not set lock_timeout: migrate.ts sets it and retries',
        },
      ];
    const [heavy] = HEAVY_STATEMENT.exec(text) ?? [];
    if (heavy === undefined) return [];
    return [
      { line, rule: 'heavy-lock', message: `"${heavy}" blocks all other access while it runs` },
    ];
  });
}

function checkDoBlocks(statements: Statement[]): Finding[] {
  return statements
    .filter(({ text }) => text.startsWith('do '))
    .filter(
      ({ body }) =>
        [
          ...body.matchAll(
            /execute\s+(?:format\(\s*)?'((?:[^']|'')*)'|execute\s+(?!format|')(\S+)/g,
          ),
        ].some(([, quoted]) => quoted === undefined || !TENANT_TABLE_STATEMENTS.test(quoted)) ||
        /\b(alter|drop|truncate|lock)\s+(table|index|column)/.test(stripQuotedText(body)),
    )
    .map(({ line }) => ({
      line,
      rule: 'no-hidden-ddl',
      message:
        'A do block may only set up policies and grants in a loop; write other changes as plain statements, which are checked',
    }));
}

const stripQuotedText = (body: string): string => body.replaceAll(/'(?:[^']|'')*'/g, "''");

function checkStopReason(sql: string): Finding[] {
  const reason = sql.split('\n')[1]?.trim() ?? '';
  if (reason.startsWith('--') && reason.length > 20) return [];
  return [
    {
      line: 2,
      rule: 'stop-needs-reason',
      message: 'Add a comment on the second line that explains why the servers must be stopped',
    },
  ];
}

function checkExceptionReasons(sql: string): Finding[] {
  const lines = sql.split('\n');
  return lines.flatMap((text, index) => {
    if (!/squawk-ignore/.test(text)) return [];
    const above = lines[index - 1]?.trim() ?? '';
    if (above.startsWith('--') && above.length > 20) return [];
    return [
      {
        line: index + 1,
        rule: 'exception-needs-reason',
        message: 'Write the reason for an exception as a comment on the line above it',
      },
    ];
  });
}
