/** Families see first names only: whoever holds the link knows the child anyway, and nobody else learns more. */
export const firstName = (name: string): string => name.trim().split(/\s+/)[0] ?? '';
