/** An amount as people type it, also with a comma. Null when there is none, not a number when it is no amount. */
export function readAmount(text: string): number | null {
  const plain = text.replace(/\s/g, '').replace(',', '.');
  return plain === '' ? null : Number(plain);
}

/** '30', and '32.50' when there are pence: as it stands in a field. */
export const amountText = (amount: number | null): string => {
  if (amount === null) return '';
  return Number.isInteger(amount) ? String(amount) : amount.toFixed(2);
};
