/** Replaces path separators and characters that have a special meaning in shells or headers. */
export const safeFileName = (name: string): string =>
  name
    .replaceAll(/[^\w.-]/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replace(/^[.-]+/, '');
