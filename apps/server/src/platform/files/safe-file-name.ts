/** Removes path separators and characters with a meaning in shells or headers. */
export const safeFileName = (name: string): string =>
  name
    .replaceAll(/[^\w.-]/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replace(/^[.-]+/, '');
