/** The key under which a username or an address is unique, regardless of case. */
export const normalizeLogin = (text: string): string => text.trim().normalize('NFKC').toLowerCase();

/** Whether the login field contains an address: a username cannot contain an at-sign. */
export const isEmail = (text: string): boolean => text.includes('@');
