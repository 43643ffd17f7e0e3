const DIGITS = 4;

/** '0001', 'SM-0042', '12345'. Padded so that files sort correctly by name. */
export const formatInvoiceNumber = (prefix: string, sequence: number): string =>
  `${prefix}${String(sequence).padStart(DIGITS, '0')}`;

/** Credit notes have their own sequence, so that neither sequence has gaps. */
export const formatCreditNoteNumber = (sequence: number): string =>
  formatInvoiceNumber('CN-', sequence);
