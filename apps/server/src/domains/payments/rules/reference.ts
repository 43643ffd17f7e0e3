/** Short enough for every bank's field, made from the last name and the account's number so that two families differ. */
const NAME_LETTERS = 8;

export function paymentReference(payerName: string, familyId: number): string {
  const lastName = payerName.trim().split(/\s+/).at(-1) ?? '';
  const letters = lastName
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toUpperCase()
    .slice(0, NAME_LETTERS);
  return `${letters || 'LESSONS'}${familyId}`;
}
