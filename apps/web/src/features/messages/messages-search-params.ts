import type { LogFilter } from '@lessonbook/contract/messages';

/* The search parameters of the messages page. */

export const TO_SEND_FILTERS = ['whatsapp', 'failed'] as const;
export const SENT_FILTERS = ['automatic', 'tutor', 'failed'] as const satisfies LogFilter[];
export const LOG_DAYS = [30, 90, 365] as const;

export interface MessagesSearch {
  show?: 'sent' | undefined;
  filter?: (typeof TO_SEND_FILTERS)[number] | (typeof SENT_FILTERS)[number] | undefined;
  /** The words to search for in the log. */
  q?: string | undefined;
  /** Limits the log to messages from this many past days. */
  days?: (typeof LOG_DAYS)[number] | undefined;
  /** The message shown beside the list, or on its own on a narrow screen. */
  message?: number | undefined;
  /** The log of one family. */
  family?: number | undefined;
  /** Opens the list of overdue families. */
  remind?: 'overdue' | undefined;
}

/** The filter of the log. The log of one family includes drafts. */
export const toLogFilter = ({ filter, q, days, family }: MessagesSearch) => ({
  familyId: family,
  show: family === undefined ? ((filter ?? 'sent') as LogFilter) : undefined,
  search: q,
  days,
});
