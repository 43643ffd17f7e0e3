/** Public pages show first names only, because anyone with the link can open them. */
export const firstName = (name: string): string => name.trim().split(/\s+/)[0] ?? '';
