import {
  type PayerRow,
  payersDateOf,
  payersOn,
  type SessionCharges,
  splitByPercent,
} from './payer-shares.ts';

interface TravelSeat extends Omit<SessionCharges, 'fee'> {
  sessionId: number;
  travelFee: number | null;
  payers: readonly PayerRow[];
}

/**
 * Each payer's share of the travel fee of a session, in the order of its seats. A seat whose payer has a share already, such as
 * that of a sibling, adds nothing.
 */
export function splitTravelFee<Seat extends TravelSeat>(
  seats: readonly Seat[],
  charged: readonly { sessionId: number | null; familyId: number }[],
): { seat: Seat; familyId: number; amount: number }[] {
  const keyOf = (sessionId: number | null, familyId: number) => `${sessionId}-${familyId}`;
  const paying = new Set(charged.map(({ sessionId, familyId }) => keyOf(sessionId, familyId)));
  return seats.flatMap((seat) => {
    const payers = payersOn(seat.payers, payersDateOf(seat));
    if (payers.some(({ familyId }) => paying.has(keyOf(seat.sessionId, familyId)))) return [];
    for (const { familyId } of payers) paying.add(keyOf(seat.sessionId, familyId));
    return splitByPercent(seat.travelFee ?? 0, payers).map((share) => ({ seat, ...share }));
  });
}
