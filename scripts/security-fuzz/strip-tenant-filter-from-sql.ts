import pg from 'pg';

/**
 * Removes the application's tenant filter from a statement: every `tutor_id = $n` on a table with row-level security. Keeps
 * the filter on a global table, where it is the only check by design.
 */
export function stripTenantFilter(text: string, globalTables: ReadonlySet<string>): string {
  const tables = findTablesByAlias(text);
  const hasGlobal = [...tables.values()].some((table) => globalTables.has(table));
  return text.replace(TENANT_FILTER, (whole, alias: string | undefined, parameter: string) => {
    const table = alias === undefined ? undefined : tables.get(alias);
    const isGlobal = table === undefined ? hasGlobal : globalTables.has(table);
    // Keeps the parameter in use, because otherwise PostgreSQL could not infer its type.
    return isGlobal ? whole : `${parameter}::uuid is not null`;
  });
}

const TENANT_FILTER = /(?:"?(\w+)"?\.)?"?tutor_id"?\s*=\s*(\$\d+)(?:::uuid)?(?!\d)/g;

/** Maps each alias to its table. */
function findTablesByAlias(text: string): Map<string, string> {
  const tables = new Map<string, string>();
  const pattern = /\b(?:from|join|update|into|using)\s+"?(\w+)"?(?:\s+(?:as\s+)?"?(\w+)"?)?/gi;
  for (const [, table = '', alias] of text.matchAll(pattern)) {
    tables.set(table, table);
    if (alias && !KEYWORDS.has(alias.toLowerCase())) tables.set(alias, table);
  }
  return tables;
}

const KEYWORDS = new Set(
  'where set on inner left right full cross join values select order group limit for returning as using union default natural lateral'.split(
    ' ',
  ),
);

interface Statement {
  name?: string;
  text: string;
}

/** Statements that keep their filter: the lock at the start of each change must find exactly one row. */
const EXEMPT_STATEMENTS = new Set(['lock-tutor']);

/** Removes the tenant filter from all later statements in this process. */
export function disableTenantFilter(globalTables: ReadonlySet<string>): { changed: () => number } {
  const changed = new Set<string>();
  const strip = (text: string): string => {
    const stripped = stripTenantFilter(text, globalTables);
    if (stripped !== text) changed.add(text);
    return stripped;
  };
  const prototype = pg.Client.prototype as unknown as {
    query: (first: unknown, ...rest: unknown[]) => unknown;
  };
  const original = prototype.query;
  prototype.query = function query(first, ...rest) {
    if (typeof first === 'string') return original.call(this, strip(first), ...rest);
    const statement = first as Statement;
    if (typeof statement?.text !== 'string' || EXEMPT_STATEMENTS.has(statement.name ?? ''))
      return original.call(this, first, ...rest);
    return original.call(this, { ...statement, text: strip(statement.text) }, ...rest);
  };
  return { changed: () => changed.size };
}
