export interface PayerRow {
  familyId: number;
  /** 1 to 100; the percentages of one date add up to 100. */
  percent: number;
  /** The payer at position 0 pays the odd pennies. */
  position: number;
  from: string;
}

/** The payers on a date: the rows with the latest start that is not after it, in order. */
export function payersOn<Row extends PayerRow>(rows: readonly Row[], date: string): Row[] {
  const starts = rows.map(({ from }) => from).filter((from) => from <= date);
  const latest = starts.toSorted().at(-1);
  return rows.filter(({ from }) => from === latest).toSorted((a, b) => a.position - b.position);
}

export interface Share {
  familyId: number;
  amount: number;
}

/** Splits an amount in whole pennies by percentage. The first payer gets the odd pennies; shares of 0 are left out. */
export function splitAmount(
  amount: number,
  payers: readonly { familyId: number; percent: number }[],
): Share[] {
  const total = payers.reduce((sum, { percent }) => sum + percent, 0);
  const shares = payers.map(({ familyId, percent }) => ({
    familyId,
    amount: Math.floor((amount * percent) / total),
  }));
  const odd = amount - shares.reduce((sum, share) => sum + share.amount, 0);
  return shares
    .map((share, index) => (index === 0 ? { ...share, amount: share.amount + odd } : share))
    .filter((share) => share.amount > 0);
}

/** What a session costs and what its payers were charged so far. */
export interface SessionCharges {
  fee: number | null;
  date: string;
  charges: readonly { familyId: number; amount: number; payersDate: string }[];
}

/**
 * The date whose payers share the session: its own, or that of the charges so far, even if the session has been moved since. All
 * charges of a session have the same one.
 */
export const payersDateOf = ({ charges, date }: Omit<SessionCharges, 'fee'>): string =>
  charges[0]?.payersDate ?? date;

/**
 * Each payer's share of an amount that is due for a session. If everything was charged, the payers who were charged share
 * it, even if other payers have been chosen since.
 */
export function sharesForSession(
  amount: number,
  session: SessionCharges,
  rows: readonly PayerRow[],
): Share[] {
  if (isFullyCharged(session)) {
    return splitAmount(
      amount,
      session.charges.map(({ familyId, amount: percent }) => ({ familyId, percent })),
    );
  }
  return splitAmount(amount, payersOn(rows, payersDateOf(session)));
}

const isFullyCharged = ({ fee, charges }: SessionCharges): boolean =>
  charges.length > 0 && charges.reduce((sum, { amount }) => sum + amount, 0) >= (fee ?? 0);

/** The shares of the payers who were not charged for the session yet; none if everything was charged. */
export const missingShares = (
  amount: number,
  session: SessionCharges,
  rows: readonly PayerRow[],
): Share[] =>
  sharesForSession(amount, session, rows).filter(
    ({ familyId }) => !session.charges.some((charge) => charge.familyId === familyId),
  );
