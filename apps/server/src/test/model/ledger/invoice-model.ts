import {
  addCharge,
  allocateFreePayments,
  chargeOf,
  isFullyReversed,
  type MCharge,
  orThrow,
  Rejected,
  reduceCharge,
} from './ledger-model.ts';
import {
  chargeSession,
  type LedgerCommand,
  type LedgerState,
  type LineInput,
  type MNote,
  plusDays,
  sessionOf,
  today,
} from './ledger-state.ts';

/* Invoices and what corrects them. */

/** Corrects what an invoice said, on paper and in the account: line by line, and each gives its money back at once. */
function issueCreditNote(state: LedgerState, to: number, lines: MNote['lines']): void {
  state.notes.push({ n: state.notes.length + 1, invoice: to, lines });
  for (const { charge: n, amount } of lines) {
    const charge = chargeOf(state.ledger, n);
    reduceCharge(state.ledger, charge, amount);
    // Nothing is to be paid for it any more.
    if (isFullyReversed(charge) && charge.session !== null)
      sessionOf(state, charge.session).charged = false;
    allocateFreePayments(state.ledger, charge.family, charge.currency);
  }
}

/** Lowers what was invoiced ahead to what is to be paid for the session after all. */
export function creditDownToAmount(state: LedgerState, charge: MCharge, worth: number): void {
  const tooMuch = charge.amount - charge.noted - worth;
  if (tooMuch <= 0) return;
  issueCreditNote(state, orThrow(charge.invoice ?? undefined), [
    { charge: charge.n, amount: tooMuch },
  ]);
}

export function issue(state: LedgerState, act: Extract<LedgerCommand, { kind: 'invoice' }>): void {
  const { family, currency } = act;
  const n = state.invoices.length + 1;
  const issuedOn = today(state);
  const due = plusDays(issuedOn, 7);
  // No word says in which order one document's charges are written: sessions as they were made, then items.
  const charges = act.lines.toSorted(inOrder).map((line) => {
    if ('charge' in line) return chargeOf(state.ledger, line.charge);
    if ('session' in line) {
      const session = sessionOf(state, line.session);
      const amount = orThrow(session.fee ?? undefined);
      return chargeSession(state, session, { kind: 'lesson', amount, invoice: n });
    }
    const nobody = { student: null, session: null, subject: null };
    const item = { kind: 'item', amount: line.amount, due, invoice: n } as const;
    return addCharge(state.ledger, { ...nobody, family, currency, ...item });
  });
  for (const charge of charges) charge.invoice = n;
  const lines = charges.map((charge) => ({ charge: charge.n, amount: charge.amount }));
  state.invoices.push({ n, family, currency, issuedOn, lines, void: false });
  allocateFreePayments(state.ledger, family, currency);
}

const rank = (line: LineInput): number =>
  'session' in line ? line.session : 'item' in line ? 1e9 : 0;
const inOrder = (a: LineInput, b: LineInput): number => rank(a) - rank(b);

/** What only the invoice asked for goes with it; a lesson that was given, or called off late, is still to be paid. */
export function voidInvoice(state: LedgerState, n: number): void {
  const document = orThrow(state.invoices[n - 1]);
  if (document.void) throw new Rejected('conflict', 'it is void');
  if (state.notes.some((note) => note.invoice === n))
    throw new Rejected('conflict', 'it was credited');
  document.void = true;
  for (const { charge: at } of document.lines) {
    const charge = chargeOf(state.ledger, at);
    const ahead =
      charge.session !== null && sessionOf(state, charge.session).status === 'scheduled';
    if (charge.kind === 'item' || ahead) reduceCharge(state.ledger, charge, 'reversal');
    else charge.invoice = null;
    // One after the other, as on a credit note.
    allocateFreePayments(state.ledger, document.family, document.currency);
  }
}

export function credit(state: LedgerState, act: Extract<LedgerCommand, { kind: 'credit' }>): void {
  const document = orThrow(state.invoices[act.invoice - 1]);
  if (document.void) throw new Rejected('conflict', 'it is void');
  for (const { charge: n, amount } of act.lines) {
    const charge = chargeOf(state.ledger, n);
    if (charge.invoice !== act.invoice) throw new Rejected('not_found', 'not on this invoice');
    if (amount > charge.amount - charge.noted) throw new Rejected('invalid', 'more than is left');
  }
  issueCreditNote(state, act.invoice, act.lines);
}
