const DIGITS = 4;

/** '0001', 'SM-0042', '12345': padded so that a folder of them sorts, and never cut. */
export const invoiceNumber = (prefix: string, sequence: number): string =>
  `${prefix}${String(sequence).padStart(DIGITS, '0')}`;

/** Credit notes count for themselves, so that neither row of numbers has a gap. */
export const creditNoteNumber = (sequence: number): string => invoiceNumber('CN-', sequence);
