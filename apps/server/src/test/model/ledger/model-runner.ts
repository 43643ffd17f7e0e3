import type pg from 'pg';
import {
  createDraft,
  deleteDraft,
  updateDraft,
} from '../../../domains/invoices/service/invoice-drafts.ts';
import { issueInvoices } from '../../../domains/invoices/service/issue.ts';
import { readInvoice, readInvoiceRows } from '../../../domains/invoices/service/read.ts';
import { creditInvoice, voidInvoice } from '../../../domains/invoices/service/void-and-credit.ts';
import {
  cancelSeat,
  cancelSession,
  restoreSeat,
} from '../../../domains/lessons/service/cancel-session.ts';
import {
  completeSession,
  completeSessions,
} from '../../../domains/lessons/service/complete-session.ts';
import { deleteLesson } from '../../../domains/lessons/service/delete-lesson.ts';
import { reopenSession } from '../../../domains/lessons/service/reopen-session.ts';
import { createTimeOff } from '../../../domains/lessons/service/time-off.ts';
import { rescheduleSession } from '../../../domains/lessons/service/update-session.ts';
import {
  reverseOpeningBalance,
  setOpeningBalance,
} from '../../../domains/payments/service/families.ts';
import { setPayers } from '../../../domains/payments/service/payers.ts';
import {
  recordPayment,
  refundPayment,
  reversePayment,
} from '../../../domains/payments/service/record-and-reverse-payments.ts';
import { addContact, removeContact } from '../../../domains/students/service/student-contacts.ts';
import { changeStudent } from '../../../domains/students/service/students.ts';
import { AppError } from '../../../platform/app-error.ts';
import { applyCommandToModel } from './apply-command-to-model.ts';
import {
  balanceDifference,
  draftDifference,
  finalStateDifference,
  screensDifference,
} from './check-reads.ts';
import { collectIds, type Ids, ledgerDifference, readLedger } from './compare-with-server.ts';
import { type LedgerFixture, STUDENT_NAMES } from './ledger-fixture.ts';
import { getCharge, orThrow, RejectedError } from './ledger-model.ts';
import {
  getSession,
  type LedgerCommand,
  type LedgerState,
  type LineInput,
  today,
} from './ledger-state.ts';

/** Runs one tutor's commands both in the model and on the server. */
export class LedgerModelRunner {
  readonly #adminDb: pg.Client;
  readonly #fixture: LedgerFixture;
  #ids: Ids = { charges: [], payments: [], invoices: [] };
  state: LedgerState;
  /** The number of commands that both sides rejected. */
  rejected = 0;

  constructor(adminDb: pg.Client, fixture: LedgerFixture, state: LedgerState) {
    this.#adminDb = adminDb;
    this.#fixture = fixture;
    this.state = state;
  }

  /** Runs the command on both sides and returns the first difference, or null. */
  async run(command: LedgerCommand): Promise<string | null> {
    const expected = structuredClone(this.state);
    const expectedError = rejectionCode(() => applyCommandToModel(expected, command));
    const error = await this.#runOnServer(command);
    if (error !== expectedError) {
      return `the model expects ${expectedError ?? 'success'}, the server returns ${error ?? 'success'}`;
    }
    // A rejected command must change nothing.
    if (expectedError === null) this.state = expected;
    else this.rejected += 1;
    return this.compare();
  }

  async compare(): Promise<string | null> {
    const server = await readLedger(this.#adminDb, this.#fixture.tutorId);
    this.#ids = collectIds(server);
    return (
      ledgerDifference(this.state, this.#fixture, server) ??
      balanceDifference(this.state, this.#fixture)
    );
  }

  /** Checks the invariants and the earnings report; called at the end of a history. */
  checkFinalState(): Promise<string | null> {
    return finalStateDifference(this.state, this.#fixture, this.#adminDb);
  }

  checkScreens(): Promise<string | null> {
    return screensDifference(this.state, this.#fixture, this.#ids);
  }

  /** Returns the error code, or null. */
  async #runOnServer(command: LedgerCommand): Promise<string | null> {
    try {
      await this.#callService(command);
      return null;
    } catch (error) {
      if (error instanceof AppError) return error.code;
      throw error;
    }
  }

  async #callService(command: LedgerCommand): Promise<unknown> {
    const { context, tutorId, clock } = this.#fixture;
    const day = today(this.state);
    switch (command.kind) {
      case 'complete': {
        const { charge, exceptions } = command;
        const completion = {
          attendance: 'attended' as const,
          charge,
          students: exceptions.map((n) => ({
            studentId: this.#studentId(n),
            attendance: 'absent' as const,
            charge: !charge,
          })),
        };
        const [first, ...rest] = command.sessions.map((n) => this.#sessionId(n));
        if (rest.length === 0) return completeSession(context, tutorId, orThrow(first), completion);
        const sessions = [orThrow(first), ...rest].map((id) => ({ id, ...completion }));
        return completeSessions(context, tutorId, { sessions });
      }
      case 'cancel':
        return this.#cancel(command);
      case 'cancel seat': {
        const { by: cancelledBy, fee: chargeFee } = command;
        const [session, student] = this.#seat(command);
        return cancelSeat(context, tutorId, session, student, { cancelledBy, chargeFee });
      }
      case 'restore seat':
        return restoreSeat(context, tutorId, ...this.#seat(command));
      case 'contact': {
        const student = this.#studentId(command.student);
        const contactId = this.#contactId(command.contact);
        return command.action === 'add'
          ? addContact(context, tutorId, student, { contactId }, null)
          : removeContact(context, tutorId, student, contactId);
      }
      case 'split': {
        const payers = command.shares.map(({ payer, percent }) => ({
          contactId: this.#contactId(payer),
          percent,
        }));
        const { from } = command;
        return setPayers(context, tutorId, this.#studentId(command.student), { from, payers });
      }
      case 'reopen':
        return reopenSession(context, tutorId, this.#sessionId(command.session), true);
      case 'move': {
        const { start } = getSession(this.state, command.session);
        const to = { date: command.date, startTime: start, endTime: `${start.slice(0, 2)}:50` };
        const input = { ...to, acceptOverlaps: true };
        const id = this.#sessionId(command.session);
        const moved = await rescheduleSession(context, tutorId, id, input, null);
        return this.#fixture.sessions.push(moved);
      }
      case 'pay': {
        const { currency, amount, on: date } = command;
        const chargeIds = command.chosen.map((n) => this.#chargeId(n));
        const familyId = this.#familyId(command.family);
        const payment = { familyId, amount, currency, date, chargeIds, method: 'cash' as const };
        return recordPayment(context, tutorId, payment, null);
      }
      case 'refund': {
        const refund = { amount: command.amount, date: day };
        return refundPayment(context, tutorId, this.#paymentId(command.payment), refund, null);
      }
      case 'reverse payment':
        return reversePayment(context, tutorId, this.#paymentId(command.payment), null);
      case 'opening': {
        const { amount, currency, on: date } = command;
        const family = this.#familyId(command.family);
        return setOpeningBalance(context, tutorId, family, { amount, currency, date }, null);
      }
      case 'reverse opening balance': {
        const family = this.#familyId(getCharge(this.state.ledger, command.charge).family);
        return reverseOpeningBalance(
          context,
          tutorId,
          family,
          this.#chargeId(command.charge),
          null,
        );
      }
      case 'invoice':
        return this.#issueInvoice(command);
      case 'void':
        return voidInvoice(context, tutorId, this.#invoiceId(command.invoice), null, null);
      case 'credit': {
        const lines = command.lines.map(({ charge, amount }) => ({
          chargeId: this.#chargeId(charge),
          amount,
        }));
        return creditInvoice(context, tutorId, this.#invoiceId(command.invoice), { lines }, null);
      }
      case 'payer':
        return this.#changePayer(command.student, command.payer);
      case 'wait':
        break;
    }
    clock.advance({ hours: command.hours });
    return null;
  }

  #cancel(command: Extract<LedgerCommand, { kind: 'cancel' }>): Promise<unknown> {
    const { context, tutorId, lessons } = this.#fixture;
    const sessionId = this.#sessionId(command.session);
    if (command.via === 'time off') {
      const { date } = getSession(this.state, command.session);
      const timeOff = { fromDate: date, toDate: date, cancelSessionIds: [sessionId] };
      return createTimeOff(context, tutorId, timeOff, null);
    }
    if (command.via === 'delete') {
      const lessonId = orThrow(lessons[command.session - 1]);
      return deleteLesson(context, tutorId, { lessonId, scope: 'this', sessionId });
    }
    const input = { cancelledBy: command.by, chargeFee: command.fee };
    return cancelSession(context, tutorId, sessionId, input);
  }

  /** Creates drafts for the whole period, keeps the one in the command's currency, sets its lines and issues it. */
  async #issueInvoice(command: Extract<LedgerCommand, { kind: 'invoice' }>): Promise<void> {
    const { context, tutorId } = this.#fixture;
    const period = { from: '2026-01-01', to: '2028-01-01', includeUpcoming: true };
    const input = { familyId: this.#familyId(command.family), ...period };
    const ids = await createDraft(context, tutorId, input, null);
    const drafts = await readInvoiceRows(context, tutorId, ids);
    const draft = drafts.find((each) => each.currency === command.currency);
    for (const other of drafts) {
      if (other !== draft) await deleteDraft(context, tutorId, other.id);
    }
    if (!draft) throw new Error(`there is no draft in ${command.currency}`);
    const { lines: proposed } = await readInvoice(context, tutorId, draft.id);
    const mismatch = draftDifference(this.state, command, proposed, this.#ids, this.#fixture);
    if (mismatch) throw new Error(mismatch);
    const lines = command.lines.map((line) => this.#toLine(line));
    await updateDraft(context, tutorId, draft.id, { lines });
    await issueInvoices(context, tutorId, [draft.id], null);
  }

  #toLine(line: LineInput) {
    if ('charge' in line) return { chargeId: this.#chargeId(line.charge) };
    if ('session' in line) {
      const [sessionId, studentId] = this.#seat(line);
      return { sessionId, studentId };
    }
    return { description: line.item, amount: line.amount };
  }

  async #changePayer(student: number, payer: string): Promise<void> {
    const { context, tutorId, students, carers, families } = this.#fixture;
    const [kind, n] = payer.split(' ');
    const carerId = kind === 'carer' ? orThrow(carers[Number(n) - 1]) : null;
    const input = { name: orThrow(STUDENT_NAMES[student - 1]), carerId };
    const id = orThrow(students[student - 1]);
    const changed = await changeStudent(context, tutorId, id, input);
    const family = orThrow(changed.familyId ?? undefined);
    if ((families.get(payer) ?? family) !== family) throw new Error(`${payer} has two accounts`);
    families.set(payer, family);
  }

  #seat = ({ session, student }: { session: number; student: number }): [number, number] => [
    this.#sessionId(session),
    this.#studentId(student),
  ];
  #studentId = (n: number): number => orThrow(this.#fixture.students[n - 1]);
  /** Only carers are linked and chosen as payers by id. */
  #contactId = (payer: string): number =>
    orThrow(this.#fixture.carers[Number(payer.replace('carer ', '')) - 1]);
  #sessionId = (n: number): number => orThrow(this.#fixture.sessions[n - 1]);
  #chargeId = (n: number): number => orThrow(this.#ids.charges[n - 1]);
  #paymentId = (n: number): number => orThrow(this.#ids.payments[n - 1]);
  #invoiceId = (n: number): number => orThrow(this.#ids.invoices[n - 1]);
  #familyId = (payer: string): number => orThrow(this.#fixture.families.get(payer));
}

function rejectionCode(apply: () => void): string | null {
  try {
    apply();
    return null;
  } catch (error) {
    if (error instanceof RejectedError) return error.code;
    throw error;
  }
}
