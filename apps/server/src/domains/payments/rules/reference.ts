/**
 * The reference that a payer gives with a bank transfer, unique to each of the tutor's accounts. It contains no name, because
 * anyone with a payment link sees it; the tutor's bank shows who paid.
 */
export const buildPaymentReference = (familyId: number): string => `LESSONS${familyId}`;
