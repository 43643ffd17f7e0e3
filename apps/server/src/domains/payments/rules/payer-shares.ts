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

/**
 * Splits an amount in proportion to the weights, in whole pennies. The first payer gets the odd pennies; shares of 0 are left
 * out.
 */
export function splitAmount(
  amount: number,
  payers: readonly { familyId: number; weight: number }[],
): Share[] {
  const total = payers.reduce((sum, { weight }) => sum + weight, 0);
  const shares = payers.map(({ familyId, weight }) => ({
    familyId,
    amount: Math.floor((amount * weight) / total),
  }));
  const odd = amount - shares.reduce((sum, share) => sum + share.amount, 0);
  return shares
    .map((share, index) => (index === 0 ? { ...share, amount: share.amount + odd } : share))
    .filter((share) => share.amount > 0);
}

export const splitByPercent = (
  amount: number,
  payers: readonly { familyId: number; percent: number }[],
): Share[] =>
  splitAmount(
    amount,
    payers.map(({ familyId, percent }) => ({ familyId, weight: percent })),
  );

/** What a session costs and what its payers have been charged so far. */
export interface SessionCharges {
  fee: number | null;
  date: string;
  charges: readonly { familyId: number; amount: number; payersDate: string }[];
}

/**
 * The date that determines who shares the cost. Once a session has charges, it is the date they were created for, even if the
 * session has since been moved; until then, it is the session's own date. All of a session's charges have the same payersDate.
 */
export const payersDateOf = ({ charges, date }: Omit<SessionCharges, 'fee'>): string =>
  charges[0]?.payersDate ?? date;

/**
 * Each payer's share of an amount that is due for a session. If everything has been charged, the payers who were charged share
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
      session.charges.map(({ familyId, amount: weight }) => ({ familyId, weight })),
    );
  }
  return splitByPercent(amount, payersOn(rows, payersDateOf(session)));
}

const isFullyCharged = ({ fee, charges }: SessionCharges): boolean =>
  charges.length > 0 && charges.reduce((sum, { amount }) => sum + amount, 0) >= (fee ?? 0);

/** The shares of the payers who have not yet been charged for the session; none if everything has been charged. */
export const missingShares = (
  amount: number,
  session: SessionCharges,
  rows: readonly PayerRow[],
): Share[] =>
  sharesForSession(amount, session, rows).filter(
    ({ familyId }) => !session.charges.some((charge) => charge.familyId === familyId),
  );
