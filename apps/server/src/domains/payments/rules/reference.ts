const MAX_NAME_LETTERS = 8;

/** The last name plus the family id: short enough for any bank's reference field, and unique to each family. */
export function buildPaymentReference(payerName: string, familyId: number): string {
  const lastName = payerName.trim().split(/\s+/).at(-1) ?? '';
  const letters = lastName
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toUpperCase()
    .slice(0, MAX_NAME_LETTERS);
  return `${letters || 'LESSONS'}${familyId}`;
}
