/** What stands in the address of the list of invoices. */
export interface InvoicesSearch {
  /** Only this payer's. */
  family?: number;
  state?: 'draft' | 'open' | 'overdue' | 'paid';
}

/** The drafts that were made for everyone, and later what was issued of them: so a reload keeps the review. */
export interface EveryoneSearch {
  drafts?: string;
  issued?: string;
}
