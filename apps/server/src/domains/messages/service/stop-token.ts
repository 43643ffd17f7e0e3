import type { Context } from '../../../context.ts';
import { derivedToken } from '../../../platform/crypto.ts';

/** Stopping reminders never stops invoices and receipts. */
export const STOPPABLE = new Set(['lesson_reminder', 'payment_reminder']);

/** The same for every mail of one tutor to one address; useless to a reader of the database. */
export const stopToken = (context: Context, tutorId: string, address: string): string =>
  `u_${derivedToken(context.config.secretKey, 'unsubscribe', `${tutorId} ${address.toLowerCase()}`)}`;
