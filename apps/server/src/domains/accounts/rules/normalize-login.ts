/** Returns the unique key for a username or email address, regardless of case. */
export const normalizeLogin = (text: string): string => text.trim().normalize('NFKC').toLowerCase();

/** Whether the login field contains an email address. A username cannot contain an at sign. */
export const isEmail = (text: string): boolean => text.includes('@');
