/**
 * Takes the application's own tenant check out of a statement: every `tutor_id = $n` on a table that row-level security
 * guards. On a global table it is the only check there is, by design, and stays.
 */
export function stripCheck(text: string, globalTables: ReadonlySet<string>): string {
  const tables = tablesOf(text);
  const hasGlobal = [...tables.values()].some((table) => globalTables.has(table));
  return text.replace(CHECK, (whole, alias: string | undefined, parameter: string) => {
    const table = alias === undefined ? undefined : tables.get(alias);
    const isGlobal = table === undefined ? hasGlobal : globalTables.has(table);
    // The parameter stays in use, or PostgreSQL would not know its type.
    return isGlobal ? whole : `${parameter}::uuid is not null`;
  });
}

const CHECK = /(?:"?(\w+)"?\.)?"?tutor_id"?\s*=\s*(\$\d+)(?:::uuid)?(?!\d)/g;

/** By the name under which the statement speaks of each. */
function tablesOf(text: string): Map<string, string> {
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
