const ID = /^([A-Z]+)-(\d{2,})$/;
const RANGE = /^([A-Z]+)-(\d{2,})\.\.(?:\1-)?(\d{2,})$/;

/**
 * The id format of each list that test titles refer to: the specification, the abuse cases and the OWASP ASVS 5.0
 * requirements. One title may contain ids from several lists.
 */
export const ID_PATTERNS = {
  spec: ID,
  abuse: /^T\d{2}$/,
  asvs: /^V\d{1,2}\.\d{1,2}\.\d{1,2}$/,
} as const;

/** The ids from one list in the square brackets of a title: `[AUTH-07]`, `[AUTH-07, T06, V6.3.1]`, `[TOAST-01..04]`. */
export function idsInTitle(title: string, idPattern: RegExp = ID_PATTERNS.spec): string[] {
  const groups = [...title.matchAll(/\[([^\][]+)\]/g)].map((match) => match[1] ?? '');
  const ids = groups
    .flatMap((group) => group.split(','))
    .flatMap((part) => expandRange(part.trim(), idPattern));
  return [...new Set(ids)];
}

function expandRange(part: string, idPattern: RegExp): string[] {
  if (idPattern.test(part)) return [part];
  if (idPattern !== ID_PATTERNS.spec) return [];
  const [, area, first = '', last = ''] = part.match(RANGE) ?? [];
  // Brackets may contain other text.
  if (area === undefined) return [];
  const count = Number(last) - Number(first) + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, step) => {
    const number = String(Number(first) + step).padStart(first.length, '0');
    return `${area}-${number}`;
  });
}
