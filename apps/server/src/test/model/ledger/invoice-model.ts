import type { LedgerCommand, LineInput } from './ledger-commands.ts';
import {
  addCharge,
  allocateCredit,
  getCharge,
  isFullyReversed,
  type ModelCharge,
  RejectedError,
  reduceCharge,
  requireDefined,
} from './ledger-model.ts';
import {
  chargeShare,
  getSeat,
  getSeatCharges,
  getSession,
  type LedgerState,
  type ModelCreditNote,
  plusDays,
  today,
  unchargedShares,
} from './ledger-state.ts';
import { repriceSession } from './prices-model.ts';

/* Invoices, voids and credit notes. */

/** Credits all lines, then reallocates the released payments. */
function issueCreditNote(
  state: LedgerState,
  invoice: number,
  lines: ModelCreditNote['lines'],
): void {
  const creditNote = state.creditNotes.length + 1;
  state.creditNotes.push({ n: creditNote, invoice, lines });
  creditLines(state, lines, creditNote);
  const { family, currency } = requireDefined(state.invoices[invoice - 1]);
  allocateCredit(state.ledger, family, currency);
}

function creditLines(
  state: LedgerState,
  lines: ModelCreditNote['lines'],
  creditNote: number | null,
): void {
  for (const { charge: n, amount } of lines) {
    const charge = getCharge(state.ledger, n);
    reduceCharge(state.ledger, charge, { amount, creditNote });
    markUncharged(state, charge);
  }
}

/** Credits part of a charge, without a credit note if it is not on an invoice. */
export function creditCharge(state: LedgerState, charge: ModelCharge, amount: number): void {
  const lines = [{ charge: charge.n, amount }];
  if (charge.invoice !== null) return issueCreditNote(state, charge.invoice, lines);
  creditLines(state, lines, null);
  allocateCredit(state.ledger, charge.family, charge.currency);
}

/** The seat stops being billable and follows the rates again, unless another payer is still charged for it. */
function markUncharged(state: LedgerState, charge: ModelCharge): void {
  const { session, student } = charge;
  if (!isFullyReversed(charge) || session === null || student === null) return;
  const seat = getSeat(getSession(state, session), student);
  if (!seat || getSeatCharges(state, session, student).length > 0) return;
  seat.charged = false;
  repriceSession(state, getSession(state, session));
}

/** Credits the rest of each charge, with one credit note for each invoice. */
export function creditInFull(state: LedgerState, charges: readonly ModelCharge[]): void {
  const ordered = charges.toSorted((a, b) => a.n - b.n);
  for (const [invoice, onInvoice] of Map.groupBy(ordered, (charge) => charge.invoice)) {
    issueCreditNote(
      state,
      requireDefined(invoice ?? undefined),
      onInvoice.map((charge) => ({ charge: charge.n, amount: charge.amount - charge.credited })),
    );
  }
}

/** Credits a prepaid charge down to the amount actually payable for the session. */
export function creditDownToAmount(state: LedgerState, charge: ModelCharge, amount: number): void {
  const excess = charge.amount - charge.credited - amount;
  if (excess <= 0) return;
  issueCreditNote(state, requireDefined(charge.invoice ?? undefined), [
    { charge: charge.n, amount: excess },
  ]);
}

export function issueInvoice(
  state: LedgerState,
  command: Extract<LedgerCommand, { kind: 'invoice' }>,
): void {
  const { family, currency } = command;
  const n = state.invoices.length + 1;
  const issuedOn = today(state);
  const due = plusDays(issuedOn, 7);
  // The product's rules do not define the order of an invoice's new charges; the model uses sessions by number, then items.
  const positionOf = (session: number, student: number) =>
    getSession(state, session).seats.findIndex((seat) => seat.student === student);
  const sortKey = (line: LineInput): number =>
    'session' in line
      ? line.session * 10 + positionOf(line.session, line.student)
      : 'item' in line
        ? 1e9
        : 0;
  const ordered = command.lines.toSorted((a, b) => sortKey(a) - sortKey(b));
  const charges = ordered.map((line) => {
    if ('charge' in line) return getCharge(state.ledger, line.charge);
    if ('session' in line) {
      const session = getSession(state, line.session);
      const seat = requireDefined(getSeat(session, line.student));
      const shares = unchargedShares(state, session, seat, requireDefined(seat.fee ?? undefined));
      const share = requireDefined(shares.find(({ payer }) => payer === family));
      return chargeShare(state, session, seat, share, { kind: 'lesson', invoice: n });
    }
    const unassigned = { student: null, session: null, subject: null };
    const item = { kind: 'item', amount: line.amount, due, invoice: n } as const;
    return addCharge(state.ledger, { ...unassigned, family, currency, ...item });
  });
  for (const charge of charges) charge.invoice = n;
  const lines = charges.map((charge) => ({ charge: charge.n, amount: charge.amount }));
  state.invoices.push({ n, family, currency, issuedOn, lines, void: false });
  allocateCredit(state.ledger, family, currency);
}

/** Reverses items and the charges for future sessions; charges for completed or cancelled sessions and seats are kept. */
export function voidInvoice(state: LedgerState, n: number): void {
  const invoice = requireDefined(state.invoices[n - 1]);
  if (invoice.void) throw new RejectedError('conflict', 'the invoice is void');
  if (state.creditNotes.some((note) => note.invoice === n))
    throw new RejectedError('conflict', 'the invoice was credited');
  invoice.void = true;
  for (const line of invoice.lines) {
    const charge = getCharge(state.ledger, line.charge);
    if (charge.kind === 'item' || isPrepaid(state, charge))
      reduceCharge(state.ledger, charge, 'reversal');
    else charge.invoice = null;
    if (charge.session !== null) repriceSession(state, getSession(state, charge.session));
  }
  allocateCredit(state.ledger, invoice.family, invoice.currency);
}

function isPrepaid(state: LedgerState, { session: n, student }: ModelCharge): boolean {
  if (n === null || student === null) return false;
  const session = getSession(state, n);
  return session.status === 'scheduled' && !getSeat(session, student)?.cancelled;
}

export function creditInvoice(
  state: LedgerState,
  command: Extract<LedgerCommand, { kind: 'credit' }>,
): void {
  const invoice = requireDefined(state.invoices[command.invoice - 1]);
  if (invoice.void) throw new RejectedError('conflict', 'the invoice is void');
  for (const { charge: n, amount } of command.lines) {
    const charge = getCharge(state.ledger, n);
    if (charge.invoice !== command.invoice)
      throw new RejectedError('not_found', 'not on this invoice');
    if (amount > charge.amount - charge.credited)
      throw new RejectedError('invalid', 'more than the remaining amount');
  }
  issueCreditNote(state, command.invoice, command.lines);
}
