import type pg from 'pg';
import { creditInvoice, voidInvoice } from '../../domains/invoices/service/correct.ts';
import { changeDraft, draftInvoice, throwAway } from '../../domains/invoices/service/drafts.ts';
import { issueInvoices } from '../../domains/invoices/service/issue.ts';
import { readInvoice, readInvoiceRows } from '../../domains/invoices/service/read.ts';
import { cancelSession } from '../../domains/lessons/service/cancel.ts';
import { rescheduleSession } from '../../domains/lessons/service/change-session.ts';
import { completeSession, completeSessions } from '../../domains/lessons/service/complete.ts';
import { deleteLesson } from '../../domains/lessons/service/delete-lesson.ts';
import { reopenSession } from '../../domains/lessons/service/reopen.ts';
import { createTimeOff } from '../../domains/lessons/service/time-off.ts';
import { reverseOpening, setOpeningBalance } from '../../domains/payments/service/families.ts';
import {
  recordPayment,
  refundPayment,
  reversePayment,
} from '../../domains/payments/service/record-payment.ts';
import { changeStudent } from '../../domains/students/service/students.ts';
import { AppError } from '../../platform/app-error.ts';
import { apply } from './ledger-acts.ts';
import { type Act, type LedgerBook, type LineAct, sessionOf, today } from './ledger-book.ts';
import { chargeOf, found, Refused } from './ledger-model.ts';
import {
  balanceDifference,
  endDifference,
  offerDifference,
  screensDifference,
} from './ledger-reads.ts';
import { type Ids, idsOf, ledgerDifference, readLedger } from './ledger-server.ts';
import { type LedgerTutor, NAMES } from './ledger-tutor.ts';

/** One tutor's account book, kept twice. */
export class LedgerPlayer {
  readonly #inside: pg.Client;
  readonly #tutor: LedgerTutor;
  #ids: Ids = { charges: [], payments: [], invoices: [] };
  book: LedgerBook;
  /** How many acts were refused, as they should be. */
  refused = 0;

  constructor(inside: pg.Client, tutor: LedgerTutor, book: LedgerBook) {
    this.#inside = inside;
    this.#tutor = tutor;
    this.book = book;
  }

  /** Does the act in both and compares everything; null when they agree. */
  async play(act: Act): Promise<string | null> {
    const expected = structuredClone(this.book);
    const refusal = outcome(() => apply(expected, act));
    const answer = await this.#perform(act);
    if (answer !== refusal) {
      return `the model says ${refusal ?? 'yes'}, the server ${answer ?? 'yes'}`;
    }
    // What was refused leaves everything as it was.
    if (refusal === null) this.book = expected;
    else this.refused += 1;
    return this.compare();
  }

  async compare(): Promise<string | null> {
    const server = await readLedger(this.#inside, this.#tutor.tutorId);
    this.#ids = idsOf(server);
    return (
      ledgerDifference(this.book, this.#tutor, server) ?? balanceDifference(this.book, this.#tutor)
    );
  }

  /** Once a history is over: what the checker and the report say. */
  atTheEnd(): Promise<string | null> {
    return endDifference(this.book, this.#tutor, this.#inside);
  }

  /** What the screens show. */
  readEverything(): Promise<string | null> {
    return screensDifference(this.book, this.#tutor, this.#ids);
  }

  /** The code of a refusal, or null. */
  async #perform(act: Act): Promise<string | null> {
    try {
      await this.#act(act);
      return null;
    } catch (error) {
      if (error instanceof AppError) return error.code;
      throw error;
    }
  }

  async #act(act: Act): Promise<unknown> {
    const { context, tutorId, clock } = this.#tutor;
    const day = today(this.book);
    switch (act.kind) {
      case 'complete': {
        const how = { attendance: 'attended', charge: act.charge } as const;
        const [one, ...more] = act.sessions.map((n) => this.#session(n));
        if (more.length === 0) return completeSession(context, tutorId, found(one), how);
        const sessions = [found(one), ...more].map((id) => ({ id, ...how }));
        return completeSessions(context, tutorId, { sessions });
      }
      case 'cancel':
        return this.#cancel(act);
      case 'reopen':
        return reopenSession(context, tutorId, this.#session(act.session), true);
      case 'move': {
        const { start } = sessionOf(this.book, act.session);
        const to = { date: act.date, startTime: start, endTime: `${start.slice(0, 2)}:50` };
        const input = { ...to, acceptOverlaps: true };
        const id = this.#session(act.session);
        const moved = await rescheduleSession(context, tutorId, id, input, null);
        return this.#tutor.sessions.push(moved);
      }
      case 'pay': {
        const { currency, amount, on: date } = act;
        const chargeIds = act.named.map((n) => this.#charge(n));
        const familyId = this.#family(act.family);
        const money = { familyId, amount, currency, date, chargeIds, method: 'cash' as const };
        return recordPayment(context, tutorId, money, null);
      }
      case 'refund': {
        const back = { amount: act.amount, date: day };
        return refundPayment(context, tutorId, this.#payment(act.payment), back, null);
      }
      case 'take back':
        return reversePayment(context, tutorId, this.#payment(act.payment), null);
      case 'opening': {
        const { amount, currency, on: date } = act;
        const family = this.#family(act.family);
        return setOpeningBalance(context, tutorId, family, { amount, currency, date }, null);
      }
      case 'take back opening': {
        const family = this.#family(chargeOf(this.book.ledger, act.charge).family);
        return reverseOpening(context, tutorId, family, this.#charge(act.charge), null);
      }
      case 'invoice':
        return this.#invoice(act);
      case 'void':
        return voidInvoice(context, tutorId, this.#document(act.invoice), null, null);
      case 'credit': {
        const lines = act.lines.map(({ charge, amount }) => ({
          chargeId: this.#charge(charge),
          amount,
        }));
        return creditInvoice(context, tutorId, this.#document(act.invoice), { lines }, null);
      }
      case 'payer':
        return this.#changePayer(act.student, act.payer);
      case 'wait':
        break;
    }
    clock.forward({ hours: act.hours });
    return null;
  }

  #cancel(act: Extract<Act, { kind: 'cancel' }>): Promise<unknown> {
    const { context, tutorId, lessons } = this.#tutor;
    const sessionId = this.#session(act.session);
    if (act.via === 'time off') {
      const { date } = sessionOf(this.book, act.session);
      const off = { fromDate: date, toDate: date, cancelSessionIds: [sessionId] };
      return createTimeOff(context, tutorId, off, null);
    }
    if (act.via === 'delete') {
      const lessonId = found(lessons[act.session - 1]);
      return deleteLesson(context, tutorId, { lessonId, scope: 'this', sessionId });
    }
    const how = { cancelledBy: act.by, chargeFee: act.fee };
    return cancelSession(context, tutorId, sessionId, how);
  }

  /** Drafts all there is, keeps the draft of the wanted currency with the wanted lines, and issues it. */
  async #invoice(act: Extract<Act, { kind: 'invoice' }>): Promise<void> {
    const { context, tutorId } = this.#tutor;
    const period = { from: '2026-01-01', to: '2028-01-01', includeComing: true };
    const start = { familyId: this.#family(act.family), ...period };
    const ids = await draftInvoice(context, tutorId, start, null);
    const drafts = await readInvoiceRows(context, tutorId, ids);
    const draft = drafts.find((one) => one.currency === act.currency);
    for (const other of drafts) {
      if (other !== draft) await throwAway(context, tutorId, other.id);
    }
    if (!draft) throw new Error(`there is no draft in ${act.currency}`);
    const { lines: offered } = await readInvoice(context, tutorId, draft.id);
    const wrong = offerDifference(this.book, act, offered, this.#ids, this.#tutor);
    if (wrong) throw new Error(wrong);
    const lines = act.lines.map((line) => this.#line(line));
    await changeDraft(context, tutorId, draft.id, { lines });
    await issueInvoices(context, tutorId, [draft.id], null);
  }

  #line(line: LineAct) {
    if ('charge' in line) return { chargeId: this.#charge(line.charge) };
    if ('session' in line) return { sessionId: this.#session(line.session) };
    return { description: line.item, amount: line.amount };
  }

  async #changePayer(student: number, payer: string): Promise<void> {
    const { context, tutorId, students, carers, families } = this.#tutor;
    const [kind, n] = payer.split(' ');
    const carerId = kind === 'carer' ? found(carers[Number(n) - 1]) : null;
    const input = { name: found(NAMES[student - 1]), carerId };
    const id = found(students[student - 1]);
    const changed = await changeStudent(context, tutorId, id, input);
    const family = found(changed.familyId ?? undefined);
    if ((families.get(payer) ?? family) !== family) throw new Error(`${payer} has two accounts`);
    families.set(payer, family);
  }

  #session = (n: number): number => found(this.#tutor.sessions[n - 1]);
  #charge = (n: number): number => found(this.#ids.charges[n - 1]);
  #payment = (n: number): number => found(this.#ids.payments[n - 1]);
  #document = (n: number): number => found(this.#ids.invoices[n - 1]);
  #family = (payer: string): number => found(this.#tutor.families.get(payer));
}

function outcome(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.code;
    throw error;
  }
}
