/** A name under which anything may be saved anywhere: no way into another folder, nothing that a shell or a header reads. */
export const safeFileName = (name: string): string =>
  name
    .replaceAll(/[^\w.-]/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replace(/^[.-]+/, '');
