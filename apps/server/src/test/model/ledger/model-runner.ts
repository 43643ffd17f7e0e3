import type pg from 'pg';
import {
  createDraft,
  deleteDraft,
  updateDraft,
} from '../../../domains/invoices/service/invoice-drafts.ts';
import { issueInvoices } from '../../../domains/invoices/service/issue.ts';
import { readInvoice, readInvoiceRows } from '../../../domains/invoices/service/read.ts';
import { creditInvoice, voidInvoice } from '../../../domains/invoices/service/void-and-credit.ts';
import { cancelSession } from '../../../domains/lessons/service/cancel.ts';
import { completeSession, completeSessions } from '../../../domains/lessons/service/complete.ts';
import { deleteLesson } from '../../../domains/lessons/service/delete-lesson.ts';
import { reopenSession } from '../../../domains/lessons/service/reopen-session.ts';
import { createTimeOff } from '../../../domains/lessons/service/time-off.ts';
import { rescheduleSession } from '../../../domains/lessons/service/update-session.ts';
import {
  reverseOpeningBalance,
  setOpeningBalance,
} from '../../../domains/payments/service/families.ts';
import {
  recordPayment,
  refundPayment,
  reversePayment,
} from '../../../domains/payments/service/record-payment.ts';
import { changeStudent } from '../../../domains/students/service/students.ts';
import { AppError } from '../../../platform/app-error.ts';
import { applyCommand } from './apply-command.ts';
import {
  balanceDifference,
  endDifference,
  offerDifference,
  screensDifference,
} from './check-reads.ts';
import { type LedgerFixture, NAMES } from './ledger-fixture.ts';
import { chargeOf, orThrow, Rejected } from './ledger-model.ts';
import {
  type LedgerCommand,
  type LedgerState,
  type LineInput,
  sessionOf,
  today,
} from './ledger-state.ts';
import { type Ids, idsOf, ledgerDifference, readLedger } from './system-adapter.ts';

/** One tutor's account book, kept twice. */
export class LedgerModelRunner {
  readonly #inside: pg.Client;
  readonly #tutor: LedgerFixture;
  #ids: Ids = { charges: [], payments: [], invoices: [] };
  state: LedgerState;
  /** How many acts were refused, as they should be. */
  refused = 0;

  constructor(adminDb: pg.Client, fixture: LedgerFixture, state: LedgerState) {
    this.#inside = adminDb;
    this.#tutor = fixture;
    this.state = state;
  }

  /** Does the act in both and compares everything; null when they agree. */
  async run(command: LedgerCommand): Promise<string | null> {
    const expected = structuredClone(this.state);
    const refusal = outcome(() => applyCommand(expected, command));
    const answer = await this.#perform(command);
    if (answer !== refusal) {
      return `the model says ${refusal ?? 'yes'}, the server ${answer ?? 'yes'}`;
    }
    // What was refused leaves everything as it was.
    if (refusal === null) this.state = expected;
    else this.refused += 1;
    return this.compare();
  }

  async compare(): Promise<string | null> {
    const server = await readLedger(this.#inside, this.#tutor.tutorId);
    this.#ids = idsOf(server);
    return (
      ledgerDifference(this.state, this.#tutor, server) ??
      balanceDifference(this.state, this.#tutor)
    );
  }

  /** Once a history is over: what the checker and the report say. */
  checkFinalState(): Promise<string | null> {
    return endDifference(this.state, this.#tutor, this.#inside);
  }

  /** What the screens show. */
  checkScreens(): Promise<string | null> {
    return screensDifference(this.state, this.#tutor, this.#ids);
  }

  /** The code of a refusal, or null. */
  async #perform(command: LedgerCommand): Promise<string | null> {
    try {
      await this.#act(command);
      return null;
    } catch (error) {
      if (error instanceof AppError) return error.code;
      throw error;
    }
  }

  async #act(command: LedgerCommand): Promise<unknown> {
    const { context, tutorId, clock } = this.#tutor;
    const day = today(this.state);
    switch (command.kind) {
      case 'complete': {
        const how = { attendance: 'attended', charge: command.charge } as const;
        const [one, ...more] = command.sessions.map((n) => this.#session(n));
        if (more.length === 0) return completeSession(context, tutorId, orThrow(one), how);
        const sessions = [orThrow(one), ...more].map((id) => ({ id, ...how }));
        return completeSessions(context, tutorId, { sessions });
      }
      case 'cancel':
        return this.#cancel(command);
      case 'reopen':
        return reopenSession(context, tutorId, this.#session(command.session), true);
      case 'move': {
        const { start } = sessionOf(this.state, command.session);
        const to = { date: command.date, startTime: start, endTime: `${start.slice(0, 2)}:50` };
        const input = { ...to, acceptOverlaps: true };
        const id = this.#session(command.session);
        const moved = await rescheduleSession(context, tutorId, id, input, null);
        return this.#tutor.sessions.push(moved);
      }
      case 'pay': {
        const { currency, amount, on: date } = command;
        const chargeIds = command.named.map((n) => this.#charge(n));
        const familyId = this.#family(command.family);
        const money = { familyId, amount, currency, date, chargeIds, method: 'cash' as const };
        return recordPayment(context, tutorId, money, null);
      }
      case 'refund': {
        const back = { amount: command.amount, date: day };
        return refundPayment(context, tutorId, this.#payment(command.payment), back, null);
      }
      case 'take back':
        return reversePayment(context, tutorId, this.#payment(command.payment), null);
      case 'opening': {
        const { amount, currency, on: date } = command;
        const family = this.#family(command.family);
        return setOpeningBalance(context, tutorId, family, { amount, currency, date }, null);
      }
      case 'take back opening': {
        const family = this.#family(chargeOf(this.state.ledger, command.charge).family);
        return reverseOpeningBalance(context, tutorId, family, this.#charge(command.charge), null);
      }
      case 'invoice':
        return this.#invoice(command);
      case 'void':
        return voidInvoice(context, tutorId, this.#document(command.invoice), null, null);
      case 'credit': {
        const lines = command.lines.map(({ charge, amount }) => ({
          chargeId: this.#charge(charge),
          amount,
        }));
        return creditInvoice(context, tutorId, this.#document(command.invoice), { lines }, null);
      }
      case 'payer':
        return this.#changePayer(command.student, command.payer);
      case 'wait':
        break;
    }
    clock.forward({ hours: command.hours });
    return null;
  }

  #cancel(act: Extract<LedgerCommand, { kind: 'cancel' }>): Promise<unknown> {
    const { context, tutorId, lessons } = this.#tutor;
    const sessionId = this.#session(act.session);
    if (act.via === 'time off') {
      const { date } = sessionOf(this.state, act.session);
      const off = { fromDate: date, toDate: date, cancelSessionIds: [sessionId] };
      return createTimeOff(context, tutorId, off, null);
    }
    if (act.via === 'delete') {
      const lessonId = orThrow(lessons[act.session - 1]);
      return deleteLesson(context, tutorId, { lessonId, scope: 'this', sessionId });
    }
    const how = { cancelledBy: act.by, chargeFee: act.fee };
    return cancelSession(context, tutorId, sessionId, how);
  }

  /** Drafts all there is, keeps the draft of the wanted currency with the wanted lines, and issues it. */
  async #invoice(act: Extract<LedgerCommand, { kind: 'invoice' }>): Promise<void> {
    const { context, tutorId } = this.#tutor;
    const period = { from: '2026-01-01', to: '2028-01-01', includeComing: true };
    const start = { familyId: this.#family(act.family), ...period };
    const ids = await createDraft(context, tutorId, start, null);
    const drafts = await readInvoiceRows(context, tutorId, ids);
    const draft = drafts.find((one) => one.currency === act.currency);
    for (const other of drafts) {
      if (other !== draft) await deleteDraft(context, tutorId, other.id);
    }
    if (!draft) throw new Error(`there is no draft in ${act.currency}`);
    const { lines: offered } = await readInvoice(context, tutorId, draft.id);
    const wrong = offerDifference(this.state, act, offered, this.#ids, this.#tutor);
    if (wrong) throw new Error(wrong);
    const lines = act.lines.map((line) => this.#line(line));
    await updateDraft(context, tutorId, draft.id, { lines });
    await issueInvoices(context, tutorId, [draft.id], null);
  }

  #line(line: LineInput) {
    if ('charge' in line) return { chargeId: this.#charge(line.charge) };
    if ('session' in line) return { sessionId: this.#session(line.session) };
    return { description: line.item, amount: line.amount };
  }

  async #changePayer(student: number, payer: string): Promise<void> {
    const { context, tutorId, students, carers, families } = this.#tutor;
    const [kind, n] = payer.split(' ');
    const carerId = kind === 'carer' ? orThrow(carers[Number(n) - 1]) : null;
    const input = { name: orThrow(NAMES[student - 1]), carerId };
    const id = orThrow(students[student - 1]);
    const changed = await changeStudent(context, tutorId, id, input);
    const family = orThrow(changed.familyId ?? undefined);
    if ((families.get(payer) ?? family) !== family) throw new Error(`${payer} has two accounts`);
    families.set(payer, family);
  }

  #session = (n: number): number => orThrow(this.#tutor.sessions[n - 1]);
  #charge = (n: number): number => orThrow(this.#ids.charges[n - 1]);
  #payment = (n: number): number => orThrow(this.#ids.payments[n - 1]);
  #document = (n: number): number => orThrow(this.#ids.invoices[n - 1]);
  #family = (payer: string): number => orThrow(this.#tutor.families.get(payer));
}

function outcome(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof Rejected) return error.code;
    throw error;
  }
}
