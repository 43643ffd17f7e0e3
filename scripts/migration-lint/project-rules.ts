import { type Statement, splitStatements } from './split-statements.ts';

export interface Finding {
  line: number;
  rule: string;
  message: string;
}

/** A file that begins with this runs outside a transaction; see migrate.ts. */
export const NO_TRANSACTION = '-- no-transaction';

const NAME = String.raw`(?:if (?:not )?exists )?(?:only )?(?:public\.)?(\w+)`;
const CREATED = new RegExp(`^create (?:unlogged )?table ${NAME}`);
const ALTERED = new RegExp(`^alter table ${NAME}`);
const BACKFILLED = new RegExp(`^(?:update|delete from|insert into) ${NAME}`);
const HEAVY = /^(truncate|lock|cluster|vacuum full|refresh materialized view(?! concurrently))\b/;
/** The only statements that a do block may execute: those that set up tenant tables. */
const TENANT_TABLE_STATEMENTS =
  /^\s*(alter table %i (enable|force) row level security|create policy|grant |revoke )/;

/** Project rules that squawk does not cover. Together with squawk-rules.ts, these are the rules in CONTRIBUTING. */
export function projectFindings(sql: string): Finding[] {
  const statements = splitStatements(sql);
  return [
    ...singleNonTransactional(sql, statements),
    ...singleTable(statements),
    ...separateBackfills(statements),
    ...heavyLocks(statements),
    ...doBlocks(statements),
    ...exceptionsWithReasons(sql),
  ].toSorted((a, b) => a.line - b.line);
}

function singleNonTransactional(sql: string, statements: Statement[]): Finding[] {
  if (!sql.startsWith(NO_TRANSACTION))
    return statements
      .filter(({ text }) => /^(create|drop|reindex)\b.* concurrently\b/.test(text))
      .map(({ line }) => ({
        line,
        rule: 'concurrently-without-transaction',
        message: `"concurrently" needs a separate file that begins with ${NO_TRANSACTION}`,
      }));
  if (statements.length <= 1) return [];
  return [
    {
      line: statements[1]?.line ?? 1,
      rule: 'one-statement-without-transaction',
      message:
        'A file without a transaction must hold one statement: a failure in between could leave a partial result',
    },
  ];
}

const matches = (statements: Statement[], pattern: RegExp) =>
  statements.flatMap(({ text, line }) => {
    const table = pattern.exec(text)?.[1];
    return table === undefined ? [] : [{ table, line }];
  });

/** Tables that this file alters but does not create. */
function alteredExistingTables(statements: Statement[]) {
  const created = new Set(matches(statements, CREATED).map((each) => each.table));
  return matches(statements, ALTERED).filter((each) => !created.has(each.table));
}

function singleTable(statements: Statement[]): Finding[] {
  const altered = alteredExistingTables(statements);
  const first = altered[0]?.table;
  const other = altered.find((each) => each.table !== first);
  if (!other) return [];
  return [
    {
      line: other.line,
      rule: 'one-table-at-a-time',
      message: `The lock on ${first} is held while the migration waits for ${other.table}, and requests that lock them in the other order deadlock: use one file for each table`,
    },
  ];
}

function separateBackfills(statements: Statement[]): Finding[] {
  const altered = new Set(alteredExistingTables(statements).map((each) => each.table));
  return matches(statements, BACKFILLED)
    .filter(({ table }) => altered.has(table))
    .map(({ table, line }) => ({
      line,
      rule: 'backfill-apart',
      message: `${table} is locked by this file until every row is written: put the backfill into the next file`,
    }));
}

function heavyLocks(statements: Statement[]): Finding[] {
  return statements.flatMap(({ text, line }) => {
    if (/^set .*lock_timeout|^set local lock_timeout/.test(text))
      return [
        {
          line,
          rule: 'timeout-is-set-by-migrate',
          message: 'Do not set lock_timeout: migrate.ts sets it and retries',
        },
      ];
    const [heavy] = HEAVY.exec(text) ?? [];
    if (heavy === undefined) return [];
    return [
      { line, rule: 'heavy-lock', message: `"${heavy}" blocks all other access while it runs` },
    ];
  });
}

function doBlocks(statements: Statement[]): Finding[] {
  return statements
    .filter(({ text }) => text.startsWith('do '))
    .filter(
      ({ body }) =>
        [
          ...body.matchAll(
            /execute\s+(?:format\(\s*)?'((?:[^']|'')*)'|execute\s+(?!format|')(\S+)/g,
          ),
        ].some(([, quoted]) => quoted === undefined || !TENANT_TABLE_STATEMENTS.test(quoted)) ||
        /\b(alter|drop|truncate|lock)\s+(table|index|column)/.test(withoutQuotes(body)),
    )
    .map(({ line }) => ({
      line,
      rule: 'no-hidden-ddl',
      message:
        'A do block may only set up policies and grants in a loop; write other changes as plain statements, which are checked',
    }));
}

const withoutQuotes = (body: string): string => body.replaceAll(/'(?:[^']|'')*'/g, "''");

function exceptionsWithReasons(sql: string): Finding[] {
  const lines = sql.split('\n');
  return lines.flatMap((text, index) => {
    if (!/squawk-ignore/.test(text)) return [];
    const above = lines[index - 1]?.trim() ?? '';
    if (above.startsWith('--') && above.length > 20) return [];
    return [
      {
        line: index + 1,
        rule: 'exception-with-reason',
        message: 'Write the reason for an exception as a comment on the line above it',
      },
    ];
  });
}
