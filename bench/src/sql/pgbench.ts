import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SeededDatabase } from '../databases.ts';
import { cacheFolder } from '../postgres-server.ts';
import { encodeParameter } from './encode-parameter.ts';
import type { Statement } from './record-statements.ts';

/** A pgbench script and the constants for its parameters. */
export interface Script {
  text: string;
  constants: Record<string, string>;
  /** Runs as the maintenance role, which row-level security does not restrict. */
  withoutRowSecurity?: true;
}

export interface ScriptOptions {
  /** Lines that choose a tutor by setting `login`, which replaces the token hash in the statements. */
  preamble: readonly string[];
  constants?: Record<string, string>;
  tutorId: string;
  tokenHash: Buffer;
  /** SQL for a parameter that must differ from run to run; undefined leaves it constant. */
  replace?: (value: unknown, addConstant: (text: string) => string) => string | undefined;
  /** Changes the text of a statement, for example to return its result in one row. */
  wrap?: (statement: Statement, sql: string) => string;
  /** Text to append to a statement, such as `\gset` to store its result. */
  suffixFor?: (statement: Statement) => string | undefined;
}

/**
 * Converts the SQL statements of one API call to a script, with the same parameters as in the app. The tutor id comes from
 * the result of the first statement, the login lookup, as in the app.
 */
export function toPgbenchScript(statements: readonly Statement[], options: ScriptOptions): Script {
  const constants: Record<string, string> = { ...options.constants };
  const addConstant = (text: string): string => {
    const name = `c${Object.keys(constants).length}`;
    constants[name] = text;
    return `:${name}`;
  };
  const lines = statements.map((statement) => {
    const sql = statement.text.replaceAll(/\$(\d+)/g, (_, digits: string) => {
      const value = statement.values[Number(digits) - 1];
      if (Buffer.isBuffer(value) && value.equals(options.tokenHash)) return ':login';
      if (value === options.tutorId) return ':tutorId';
      const replaced = options.replace?.(value, addConstant);
      if (replaced !== undefined) return replaced;
      const text = encodeParameter(value);
      // pgbench has no null variables.
      return text === null ? 'null' : addConstant(text);
    });
    // Each statement is one line, so line comments are removed.
    const singleLineSql = sql.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim();
    const wrapped = options.wrap?.(statement, singleLineSql) ?? singleLineSql;
    return `${wrapped}${getStatementSuffix(statement, options)}`;
  });
  return { text: `${[...options.preamble, ...lines].join('\n')}\n`, constants };
}

function getStatementSuffix(statement: Statement, options: ScriptOptions): string {
  const suffix = options.suffixFor?.(statement);
  if (suffix !== undefined) return suffix;
  return /\bfrom "logins"/.test(statement.text) ? ' \\gset' : ';';
}

export interface PgbenchRun {
  perSecond: number;
  seconds: number;
}

/**
 * Runs a script with prepared statements, as the application role unless the script specifies the maintenance role. The first
 * second is spent planning and is not counted.
 */
export async function runPgbench(
  db: SeededDatabase,
  name: string,
  script: Script,
  options: { clients: number; seconds: number },
): Promise<PgbenchRun> {
  const folder = join(cacheFolder, 'pgbench');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.sql`);
  writeFileSync(file, script.text);
  const url = new URL(script.withoutRowSecurity ? db.urls.maintenanceUrl : db.urls.appUrl);
  const pgbench = spawn(
    'pgbench',
    [
      '--no-vacuum',
      '--protocol=prepared',
      '--progress=1',
      `--file=${file}`,
      `--client=${options.clients}`,
      `--jobs=${Math.min(2, options.clients)}`,
      `--time=${options.seconds + 1}`,
      ...Object.entries(script.constants).map(([key, value]) => `--define=${key}=${value}`),
      `--host=${url.hostname}`,
      `--port=${url.port}`,
      `--username=${url.username}`,
      url.pathname.slice(1),
    ],
    {
      // Use the application's plan mode; otherwise pgbench would spend more time planning.
      env: {
        ...process.env,
        PGPASSWORD: url.password,
        PGOPTIONS: '-c plan_cache_mode=force_generic_plan',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [pgbench.stdout, pgbench.stderr]) {
    stream.on('data', (text: Buffer) => {
      output += text.toString();
    });
  }
  const [code] = (await once(pgbench, 'close')) as [number | null];
  if (code !== 0) throw new Error(`pgbench failed on ${file}:\n${output.slice(-3_000)}`);
  return { perSecond: parseRate(output), seconds: options.seconds + 1 };
}

/** Mean rate in the lines `progress: 2.0 s, 1234.5 tps, …`, ignoring the first line. */
export function parseRate(output: string): number {
  const rates = [...output.matchAll(/^progress: [\d.]+ s, ([\d.]+) tps/gm)].map((match) =>
    Number(match[1]),
  );
  const countedRates = rates.slice(1);
  if (countedRates.length === 0) throw new Error(`pgbench printed no rate:\n${output}`);
  return countedRates.reduce((sum, rate) => sum + rate, 0) / countedRates.length;
}
