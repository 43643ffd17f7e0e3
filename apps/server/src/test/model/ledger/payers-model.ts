import { RejectedError, requireDefined } from './ledger-model.ts';
import {
  expectedSeats,
  getSeatCharges,
  isSplitInAdvance,
  type LedgerState,
  type ModelPayers,
} from './ledger-state.ts';

/* The contacts of the students and who pays for them. */

export const FROM_START = '1900-01-01';

/** A seat charged to several payers in advance keeps those payers, even after one of the invoices is voided. */
export function setPayers(
  state: LedgerState,
  student: number,
  from: string,
  shares: ModelPayers['shares'],
): void {
  const isAffected = state.sessions
    .filter((session) => session.status === 'scheduled')
    .flatMap((session) => expectedSeats(session).map((seat) => ({ n: session.n, seat })))
    .filter(({ seat }) => seat.student === student)
    .some(({ n, seat }) => {
      const charges = getSeatCharges(state, n, student);
      return (
        isSplitInAdvance(seat, charges) &&
        charges.every(({ payersDate = '' }) => payersDate >= from)
      );
    });
  if (isAffected) throw new RejectedError('conflict', 'a seat is split in advance');
  const earlier = requireDefined(state.payers[student - 1]).filter((each) => each.from < from);
  state.payers[student - 1] = [...earlier, { from, shares }];
}

/** The new main contact replaces the old one and pays for everything that is not charged yet. */
export function changeMainContact(state: LedgerState, student: number, contact: string): void {
  setPayers(state, student, FROM_START, [{ payer: contact, percent: 100 }]);
  const [, ...others] = requireDefined(state.contacts[student - 1]);
  state.contacts[student - 1] = [contact, ...others.filter((each) => each !== contact)];
}

export function addContact(state: LedgerState, student: number, contact: string): void {
  const contacts = requireDefined(state.contacts[student - 1]);
  if (!contacts.includes(contact)) contacts.push(contact);
}

export function removeContact(state: LedgerState, student: number, contact: string): void {
  const contacts = requireDefined(state.contacts[student - 1]);
  if (!contacts.includes(contact)) throw new RejectedError('not_found', 'not a contact');
  const pays = requireDefined(state.payers[student - 1])
    .flatMap(({ shares }) => shares)
    .some(({ payer }) => payer === contact);
  if (contacts[0] === contact || pays)
    throw new RejectedError('conflict', 'the main contact or a payer');
  state.contacts[student - 1] = contacts.filter((each) => each !== contact);
}
