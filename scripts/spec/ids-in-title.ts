const ID = /^([A-Z]+)-(\d{2,})$/;
const RANGE = /^([A-Z]+)-(\d{2,})\.\.(?:\1-)?(\d{2,})$/;

/** The ids in the square brackets of a title: `[AUTH-07]`, `[AUTH-07, AUTH-08]`, `[TOAST-01..04]`. */
export function idsInTitle(title: string): string[] {
  const groups = [...title.matchAll(/\[([^\][]+)\]/g)].map((match) => match[1] ?? '');
  const ids = groups.flatMap((group) => group.split(',')).flatMap((part) => expand(part.trim()));
  return [...new Set(ids)];
}

function expand(part: string): string[] {
  if (ID.test(part)) return [part];
  const [, area, first = '', last = ''] = part.match(RANGE) ?? [];
  // Brackets with other words in them are none of our business.
  if (area === undefined) return [];
  const count = Number(last) - Number(first) + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, step) => {
    const number = String(Number(first) + step).padStart(first.length, '0');
    return `${area}-${number}`;
  });
}
