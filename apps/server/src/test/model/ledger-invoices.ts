import {
  type Act,
  chargeSession,
  type LedgerBook,
  type LineAct,
  type MNote,
  plusDays,
  sessionOf,
  today,
} from './ledger-book.ts';
import {
  addCharge,
  chargeOf,
  found,
  isGone,
  type MCharge,
  Refused,
  settle,
  takeOff,
} from './ledger-model.ts';

/* Invoices and what corrects them. */

/** Corrects what an invoice said, on paper and in the account: line by line, and each gives its money back at once. */
function creditNote(book: LedgerBook, to: number, lines: MNote['lines']): void {
  book.notes.push({ n: book.notes.length + 1, invoice: to, lines });
  for (const { charge: n, amount } of lines) {
    const charge = chargeOf(book.ledger, n);
    takeOff(book.ledger, charge, amount);
    // Nothing is to be paid for it any more.
    if (isGone(charge) && charge.session !== null) sessionOf(book, charge.session).charged = false;
    settle(book.ledger, charge.family, charge.currency);
  }
}

/** Lowers what was invoiced ahead to what is to be paid for the session after all. */
export function creditDownTo(book: LedgerBook, charge: MCharge, worth: number): void {
  const tooMuch = charge.amount - charge.noted - worth;
  if (tooMuch <= 0) return;
  creditNote(book, found(charge.invoice ?? undefined), [{ charge: charge.n, amount: tooMuch }]);
}

export function issue(book: LedgerBook, act: Extract<Act, { kind: 'invoice' }>): void {
  const { family, currency } = act;
  const n = book.invoices.length + 1;
  const issuedOn = today(book);
  const due = plusDays(issuedOn, 7);
  // No word says in which order one document's charges are written: sessions as they were made, then items.
  const charges = act.lines.toSorted(inOrder).map((line) => {
    if ('charge' in line) return chargeOf(book.ledger, line.charge);
    if ('session' in line) {
      const session = sessionOf(book, line.session);
      const amount = found(session.fee ?? undefined);
      return chargeSession(book, session, { kind: 'lesson', amount, invoice: n });
    }
    const nobody = { student: null, session: null, subject: null };
    const item = { kind: 'item', amount: line.amount, due, invoice: n } as const;
    return addCharge(book.ledger, { ...nobody, family, currency, ...item });
  });
  for (const charge of charges) charge.invoice = n;
  const lines = charges.map((charge) => ({ charge: charge.n, amount: charge.amount }));
  book.invoices.push({ n, family, currency, issuedOn, lines, void: false });
  settle(book.ledger, family, currency);
}

const rank = (line: LineAct): number =>
  'session' in line ? line.session : 'item' in line ? 1e9 : 0;
const inOrder = (a: LineAct, b: LineAct): number => rank(a) - rank(b);

/** What only the invoice asked for goes with it; a lesson that was given, or called off late, is still to be paid. */
export function voidInvoice(book: LedgerBook, n: number): void {
  const document = found(book.invoices[n - 1]);
  if (document.void) throw new Refused('conflict', 'it is void');
  if (book.notes.some((note) => note.invoice === n))
    throw new Refused('conflict', 'it was credited');
  document.void = true;
  for (const { charge: at } of document.lines) {
    const charge = chargeOf(book.ledger, at);
    const ahead = charge.session !== null && sessionOf(book, charge.session).status === 'scheduled';
    if (charge.kind === 'item' || ahead) takeOff(book.ledger, charge, 'reversal');
    else charge.invoice = null;
    // One after the other, as on a credit note.
    settle(book.ledger, document.family, document.currency);
  }
}

export function credit(book: LedgerBook, act: Extract<Act, { kind: 'credit' }>): void {
  const document = found(book.invoices[act.invoice - 1]);
  if (document.void) throw new Refused('conflict', 'it is void');
  for (const { charge: n, amount } of act.lines) {
    const charge = chargeOf(book.ledger, n);
    if (charge.invoice !== act.invoice) throw new Refused('not_found', 'not on this invoice');
    if (amount > charge.amount - charge.noted) throw new Refused('invalid', 'more than is left');
  }
  creditNote(book, act.invoice, act.lines);
}
