import pg from 'pg';
import type { SeededDatabase } from '../databases.ts';
import { withClient } from '../postgres-server.ts';
import { encodeParameter } from './encode-parameter.ts';
import type { Statement } from './record-statements.ts';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  'Join Filter'?: string;
  'Sort Space Type'?: string;
  Filter?: string;
  Plans?: PlanNode[];
}

export interface Finding {
  statement: string;
  what: string;
  /** True if the call reads more than one tutor's rows, which the goal forbids. */
  isFault: boolean;
}

const MIN_ROWS_READ = 100;
const WASTE_FACTOR = 5;
const MIN_ROWS_COMPARED = 1_000;

/** Up to this many pages, a sequential scan is faster than an index; PostgreSQL switches once the table grows. */
const SMALL_TABLE_PAGES = 128;

/**
 * Checks the generic plan of each statement in a call, as the application role and under row-level security. The
 * statements are executed and rolled back.
 */
export async function checkPlans(
  db: SeededDatabase,
  tutor: string,
  statements: readonly Statement[],
): Promise<Finding[]> {
  const tenantTables = await readTenantTables(db);
  return withClient(db.urls.appUrl, async (client) => {
    const findings: Finding[] = [];
    await client.query('begin');
    await client.query("select set_config('app.tutor_id', $1, true)", [tutor]);
    await client.query('set local plan_cache_mode = force_generic_plan');
    for (const [index, statement] of statements.entries()) {
      // The isolation level does not change the plans and can only be set by the first statement.
      if (/^\s*set (?!transaction)/i.test(statement.text)) await client.query(statement.text);
      if (!/^\s*(select|insert|update|delete|with)\b/i.test(statement.text)) continue;
      await client.query(`prepare s${index} as ${statement.text}`);
      const executeCall = formatExecuteCall(`s${index}`, statement.values);
      const plan = await explain(client, `analyze, format json) execute ${executeCall}`);
      // Plans the statement again without sequential scans, because tables that are still small need an index too.
      await client.query('discard plans');
      await client.query('set local enable_seqscan = off');
      const planWithoutSeqScan = await explain(client, `format json) execute ${executeCall}`);
      await client.query('set local enable_seqscan = on');
      findings.push(
        ...collectFindings(plan, statement.text, tenantTables).filter(
          ({ isSmallTableScan }) => !isSmallTableScan,
        ),
        ...collectFindings(planWithoutSeqScan, statement.text, tenantTables).filter(
          ({ isSmallTableScan }) => isSmallTableScan,
        ),
      );
    }
    await client.query('rollback');
    return findings;
  });
}

function formatExecuteCall(name: string, values: readonly unknown[]): string {
  const literals = values.map((value) => {
    const text = encodeParameter(value);
    return text === null ? 'null' : pg.escapeLiteral(text);
  });
  return literals.length === 0 ? name : `${name}(${literals.join(', ')})`;
}

async function explain(client: pg.Client, rest: string): Promise<PlanNode> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (${rest}`);
  return (rows[0] as (typeof rows)[0])['QUERY PLAN'][0].Plan;
}

interface SizedFinding extends Finding {
  isSmallTableScan: boolean;
}

function collectFindings(
  root: PlanNode,
  text: string,
  tenantTables: ReadonlyMap<string, number>,
): SizedFinding[] {
  const statement = text.replaceAll(/\s+/g, ' ').trim();
  const visit = (node: PlanNode, table: string | undefined): SizedFinding[] => {
    const relation = node['Relation Name'] ?? table;
    const pages = relation === undefined ? undefined : tenantTables.get(relation);
    const own =
      relation === undefined || pages === undefined
        ? []
        : [...findFullScans(node, relation), ...findWastefulScans(node, relation)];
    const isSmallTableScan = node['Node Type'] === 'Seq Scan' && (pages ?? 0) <= SMALL_TABLE_PAGES;
    return [
      ...[...own, ...findWastefulJoins(node), ...findDiskSorts(node)].map((finding) => ({
        statement,
        isSmallTableScan,
        ...finding,
      })),
      ...(node.Plans ?? []).flatMap((child) => visit(child, node['Relation Name'])),
    ];
  };
  return visit(root, undefined);
}

type NodeFinding = Omit<Finding, 'statement'>;

/** An index scan without tutor_id reads the whole index, which is no better than the table. */
function findFullScans(node: PlanNode, relation: string): NodeFinding[] {
  const type = node['Node Type'];
  if (type === 'Seq Scan') return [{ what: `sequential scan of ${relation}`, isFault: true }];
  const isIndexScan = /^(Index|Bitmap Index)/.test(type);
  if (!isIndexScan || node['Index Cond']?.includes('tutor_id')) return [];
  return [{ what: `${type} of ${node['Index Name']} without tutor_id`, isFault: true }];
}

function findWastefulScans(node: PlanNode, relation: string): NodeFinding[] {
  const loops = node['Actual Loops'] ?? 1;
  const removed = (node['Rows Removed by Filter'] ?? 0) * loops;
  const kept = (node['Actual Rows'] ?? 0) * loops;
  if (removed < MIN_ROWS_READ || removed < WASTE_FACTOR * kept) return [];
  const through = node['Index Name'] ? ` through ${node['Index Name']}` : '';
  const what = `reads ${Math.round(removed + kept)} rows of ${relation}${through} and keeps ${Math.round(kept)}: ${node.Filter}`;
  return [{ what, isFault: false }];
}

/** Finds joins that compare every row on one side with every row on the other. */
function findWastefulJoins(node: PlanNode): NodeFinding[] {
  const loops = node['Actual Loops'] ?? 1;
  const removed = (node['Rows Removed by Join Filter'] ?? 0) * loops;
  const kept = (node['Actual Rows'] ?? 0) * loops;
  if (removed < MIN_ROWS_COMPARED || removed < WASTE_FACTOR * kept) return [];
  const what = `compares ${Math.round(removed + kept)} pairs of rows and keeps ${Math.round(kept)}: ${node['Join Filter']}`;
  return [{ what, isFault: false }];
}

const findDiskSorts = (node: PlanNode): NodeFinding[] =>
  node['Sort Space Type'] === 'Disk' ? [{ what: 'sorts on disk', isFault: false }] : [];

/** Tenant tables and the number of pages in each. */
const readTenantTables = (db: SeededDatabase): Promise<Map<string, number>> =>
  withClient(db.urls.maintenanceUrl, async (client) => {
    const { rows } = await client.query<{ name: string; pages: number }>(
      `select relname as name, relpages as pages from pg_class
       where relnamespace = 'public'::regnamespace and relrowsecurity`,
    );
    return new Map(rows.map((row) => [row.name, row.pages]));
  });
