import { creditInvoice, issueInvoice, voidInvoice } from './invoice-model.ts';
import type { LedgerCommand } from './ledger-commands.ts';
import {
  addCharge,
  allocateCredit,
  getCharge,
  isFullyReversed,
  RejectedError,
  reduceCharge,
  requireDefined,
} from './ledger-model.ts';
import { type LedgerState, today } from './ledger-state.ts';
import { addContact, changeMainContact, removeContact, setPayers } from './payers-model.ts';
import { recordPayment, refundPayment, reversePayment } from './payment-model.ts';
import { raisePrices } from './prices-model.ts';
import {
  cancelSeat,
  cancelSession,
  completeSessions,
  moveSession,
  reopenSession,
  restoreSeat,
  undoMove,
} from './session-model.ts';
import {
  agreePlan,
  answerQuery,
  askAboutCharge,
  endPlan,
  reverseWriteOff,
  startDay,
  withdrawQuery,
  writeOff,
} from './write-offs-plans-and-questions-model.ts';

/** Applies a command to the model, or throws the error that the server must return. */
export function applyCommandToModel(
  state: LedgerState,
  command: Exclude<LedgerCommand, { kind: 'repeat' }>,
): void {
  const { ledger } = state;
  switch (command.kind) {
    case 'complete':
      return completeSessions(state, command);
    case 'cancel':
      return cancelSession(state, command);
    case 'reopen':
      return reopenSession(state, command.session);
    case 'move':
      return moveSession(state, command.session, command.date);
    case 'undo move':
      return undoMove(state, command.session);
    case 'pay': {
      const { family, currency, amount, on: paidOn, chosenCharges } = command;
      const charges = chosenCharges.map((n) => getCharge(ledger, n));
      if (charges.some((charge) => charge.family !== family)) {
        throw new RejectedError('not_found', 'not on this account');
      }
      if (charges.some((charge) => charge.currency !== currency)) {
        throw new RejectedError('invalid', 'different currency');
      }
      return recordPayment(
        ledger,
        { family, currency, amount, paidOn, opening: false },
        chosenCharges,
      );
    }
    case 'refund':
      return refundPayment(ledger, command.payment, command.amount, today(state));
    case 'reverse payment':
      return reversePayment(ledger, command.payment);
    case 'opening':
      return applyOpeningBalance(state, command);
    case 'reverse opening balance':
      return reverseOpeningBalance(state, command.charge);
    case 'invoice':
      return issueInvoice(state, command);
    case 'void':
      return voidInvoice(state, command.invoice);
    case 'credit':
      return creditInvoice(state, command);
    case 'payer':
      return changeMainContact(state, command.student, command.payer);
    case 'cancel seat':
      return cancelSeat(state, command);
    case 'restore seat':
      return restoreSeat(state, command.session, command.student);
    case 'contact':
      return command.action === 'add'
        ? addContact(state, command.student, command.contact)
        : removeContact(state, command.student, command.contact);
    case 'split': {
      const contacts = requireDefined(state.contacts[command.student - 1]);
      if (!command.shares.every(({ payer }) => contacts.includes(payer)))
        throw new RejectedError('invalid', 'not a contact');
      return setPayers(state, command.student, command.from, command.shares);
    }
    case 'raise prices':
      return raisePrices(state, command);
    case 'write off':
      return writeOff(ledger, command);
    case 'reverse write-off':
      return reverseWriteOff(ledger, command);
    case 'agree plan':
      return agreePlan(state, command);
    case 'end plan':
      return endPlan(ledger, command);
    case 'ask':
      return askAboutCharge(ledger, command.charge);
    case 'withdraw':
      return withdrawQuery(ledger, command.query);
    case 'answer':
      return answerQuery(state, command.query, command.isOwed);
    case 'wait': {
      const later = Date.parse(`${state.now.replace(' ', 'T')}:00Z`) + command.hours * 3_600_000;
      state.now = new Date(later).toISOString().slice(0, 16).replace('T', ' ');
      ledger.today = today(state);
      if (command.runsJob) startDay(ledger);
    }
  }
}

/** A debt becomes a charge; a credit becomes a payment. */
function applyOpeningBalance(
  state: LedgerState,
  command: Extract<LedgerCommand, { kind: 'opening' }>,
): void {
  const { family, currency, on } = command;
  if (command.amount < 0) {
    const payment = { family, currency, amount: -command.amount, paidOn: on, opening: true };
    return recordPayment(state.ledger, payment, []);
  }
  const unassigned = { student: null, session: null, subject: null, invoice: null };
  const { amount } = command;
  addCharge(state.ledger, { ...unassigned, family, currency, kind: 'opening', amount, due: on });
  allocateCredit(state.ledger, family, currency);
}

function reverseOpeningBalance(state: LedgerState, n: number): void {
  const charge = getCharge(state.ledger, n);
  if (charge.kind !== 'opening' || isFullyReversed(charge))
    throw new RejectedError('conflict', 'not an opening balance, or already reversed');
  if (charge.invoice !== null) throw new RejectedError('conflict', 'the charge is on an invoice');
  reduceCharge(state.ledger, charge, 'reversal');
  allocateCredit(state.ledger, charge.family, charge.currency);
}
