/** Under which key a username or an address is unique: letter case never makes a second account. */
export const normalizeLogin = (text: string): string => text.trim().normalize('NFKC').toLowerCase();

/** What was typed into the username field: an at-sign cannot be part of a username. */
export const isEmail = (text: string): boolean => text.includes('@');
