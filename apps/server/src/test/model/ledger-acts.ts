import { type Act, type LedgerBook, today } from './ledger-book.ts';
import { credit, issue, voidInvoice } from './ledger-invoices.ts';
import { addCharge, chargeOf, isGone, Refused, settle, takeOff } from './ledger-model.ts';
import { receive, refund, takeBackMoney } from './ledger-money.ts';
import { cancel, complete, move, reopen } from './ledger-sessions.ts';

/* What a tutor does, in the model. */

/** Changes the book as the act does, or throws what the server must answer. */
export function apply(book: LedgerBook, act: Act): void {
  const { ledger } = book;
  switch (act.kind) {
    case 'complete':
      return complete(book, act);
    case 'cancel':
      return cancel(book, act);
    case 'reopen':
      return reopen(book, act.session);
    case 'move':
      return move(book, act.session, act.date);
    case 'pay': {
      const { family, currency, amount, on: paidOn, named } = act;
      const charges = named.map((n) => chargeOf(ledger, n));
      if (charges.some((charge) => charge.family !== family)) {
        throw new Refused('not_found', 'not on this account');
      }
      if (charges.some((charge) => charge.currency !== currency)) {
        throw new Refused('invalid', 'another currency');
      }
      return receive(ledger, { family, currency, amount, paidOn, opening: false }, named);
    }
    case 'refund':
      return refund(ledger, act.payment, act.amount, today(book));
    case 'take back':
      return takeBackMoney(ledger, act.payment);
    case 'opening':
      return open(book, act);
    case 'take back opening':
      return takeBackOpening(book, act.charge);
    case 'invoice':
      return issue(book, act);
    case 'void':
      return voidInvoice(book, act.invoice);
    case 'credit':
      return credit(book, act);
    case 'payer':
      book.payers[act.student - 1] = act.payer;
      return;
    case 'wait': {
      const then = Date.parse(`${book.now.replace(' ', 'T')}:00Z`) + act.hours * 3_600_000;
      book.now = new Date(then).toISOString().slice(0, 16).replace('T', ' ');
    }
  }
}

/** What was owed before the book began is a charge, what had been paid ahead is money. */
function open(book: LedgerBook, act: Extract<Act, { kind: 'opening' }>): void {
  const { family, currency, on } = act;
  if (act.amount < 0) {
    const money = { family, currency, amount: -act.amount, paidOn: on, opening: true };
    return receive(book.ledger, money, []);
  }
  const nobody = { student: null, session: null, subject: null, invoice: null };
  const { amount } = act;
  addCharge(book.ledger, { ...nobody, family, currency, kind: 'opening', amount, due: on });
  settle(book.ledger, family, currency);
}

function takeBackOpening(book: LedgerBook, n: number): void {
  const charge = chargeOf(book.ledger, n);
  if (charge.kind !== 'opening' || isGone(charge)) throw new Refused('conflict', 'no opening');
  if (charge.invoice !== null) throw new Refused('conflict', 'it is on an invoice');
  takeOff(book.ledger, charge, 'reversal');
  settle(book.ledger, charge.family, charge.currency);
}
