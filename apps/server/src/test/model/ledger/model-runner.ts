import { arrears } from '@lessonbook/contract/arrears';
import { families } from '@lessonbook/contract/families';
import { groupLessons } from '@lessonbook/contract/group-lessons';
import { invoices } from '@lessonbook/contract/invoices';
import { lessons } from '@lessonbook/contract/lessons';
import { payments } from '@lessonbook/contract/payments';
import { priceRises } from '@lessonbook/contract/price-rises';
import { chargeQueries, portalChargeQueries } from '@lessonbook/contract/questions-about-charges';
import { sessions } from '@lessonbook/contract/sessions';
import { studentContacts } from '@lessonbook/contract/student-contacts-and-payers';
import { students } from '@lessonbook/contract/students';
import { timeOff } from '@lessonbook/contract/time-off';
import type pg from 'pg';
import type { ApiResponse } from '../../browser-client.ts';
import { applyCommandToModel } from './apply-command-to-model.ts';
import { accountDifference, allAccountsDifference } from './check-family-account-views.ts';
import { priceRiseDifference } from './check-price-rise.ts';
import {
  balanceDifference,
  draftDifference,
  finalStateDifference,
  screensDifference,
} from './check-screens.ts';
import { collectIds, type Ids, ledgerDifference, readLedger } from './compare-with-server.ts';
import type { LedgerCommand, LineInput } from './ledger-commands.ts';
import { callOrThrow, type LedgerFixture, STUDENT_NAMES, studentEmail } from './ledger-fixture.ts';
import { getCharge, RejectedError, requireDefined } from './ledger-model.ts';
import { getSession, type LedgerState, today } from './ledger-state.ts';
import { planPriceRise } from './prices-model.ts';
import { getQuery } from './write-offs-plans-and-questions-model.ts';

/** Runs one tutor's commands both in the model and on the server. */
export class LedgerModelRunner {
  readonly #adminDb: pg.Client;
  readonly #fixture: LedgerFixture;
  #ids: Ids = { charges: [], payments: [], invoices: [], queries: [] };
  #steps = 0;
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
    const { state, codes: expected } = applyToCopy(this.state, command);
    const codes = (await this.#runOnServer(command)).map(String).toSorted();
    if (codes.join() !== expected.map(String).toSorted().join())
      return `the model expects ${expected.join()}, the server returns ${codes.join()}`;
    // A rejected command must change nothing.
    this.state = state;
    this.rejected += expected.filter((code) => code !== 'success').length;
    return (await this.compare()) ?? this.#compareAccount();
  }

  /** Compares one view of one account, a different one each time. */
  #compareAccount(): Promise<string | null> {
    this.#steps += 1;
    return accountDifference(this.state, this.#fixture, this.#ids, this.#steps);
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

  async checkScreens(): Promise<string | null> {
    return (
      (await screensDifference(this.state, this.#fixture, this.#ids)) ??
      (await allAccountsDifference(this.state, this.#fixture, this.#ids))
    );
  }

  /** Returns an error code or 'success' for each request. */
  async #runOnServer(command: LedgerCommand): Promise<string[]> {
    const toCode = ({ status, error }: ApiResponse<unknown>) =>
      status < 400 ? 'success' : error.code;
    if (command.kind === 'wait') {
      this.#fixture.clock.advance({ hours: command.hours });
      if (command.runsJob) await this.#fixture.runDueJob();
      return ['success'];
    }
    if (command.kind !== 'repeat') return [toCode(await this.#send(command))];
    const key = crypto.randomUUID();
    const requests = Array.from({ length: command.times }, () =>
      this.#send(command.command, command.sameKey ? key : null),
    );
    return (await Promise.all(requests)).map(toCode);
  }

  async #send(
    command: Exclude<LedgerCommand, { kind: 'wait' | 'repeat' }>,
    key: string | null = null,
  ): Promise<ApiResponse<unknown>> {
    const { withKey } = this.#fixture;
    const browser = key === null ? this.#fixture.browser : withKey(key);
    switch (command.kind) {
      case 'complete':
        return this.#complete(command);
      case 'cancel':
        return this.#cancel(command);
      case 'cancel seat': {
        const body = { cancelledBy: command.by, chargeFee: command.fee };
        return browser.call(groupLessons.cancelSeat, { params: this.#seatParams(command), body });
      }
      case 'restore seat':
        return browser.call(groupLessons.restoreSeat, { params: this.#seatParams(command) });
      case 'contact': {
        const id = this.#studentId(command.student);
        const contactId = this.#contactId(command.contact);
        return command.action === 'add'
          ? browser.call(studentContacts.addContact, { params: { id }, body: { contactId } })
          : browser.call(studentContacts.removeContact, { params: { id, contactId } });
      }
      case 'split': {
        const payers = command.shares.map(({ payer, percent }) => ({
          contactId: this.#contactId(payer),
          percent,
        }));
        return browser.call(studentContacts.setPayers, {
          params: { id: this.#studentId(command.student) },
          body: { from: command.from, payers },
        });
      }
      case 'reopen':
        return browser.call(sessions.reopenSession, {
          params: { id: this.#sessionId(command.session) },
          body: { acceptOverlaps: true },
        });
      case 'move':
        return this.#move(command);
      case 'undo move':
        return browser.call(sessions.undoReschedule, {
          params: { id: this.#sessionId(command.session) },
        });
      case 'pay': {
        const { currency, amount, on: date } = command;
        const chargeIds = command.chosenCharges.map((n) => this.#chargeId(n));
        const familyId = this.#familyId(command.family);
        return browser.call(payments.recordPayment, {
          body: { familyId, amount, currency, date, chargeIds, method: 'cash' },
        });
      }
      case 'refund':
        return browser.call(payments.refundPayment, {
          params: { id: this.#paymentId(command.payment) },
          body: { amount: command.amount, date: today(this.state) },
        });
      case 'reverse payment':
        return browser.call(payments.reversePayment, {
          params: { id: this.#paymentId(command.payment) },
        });
      case 'opening': {
        const { amount, currency, on: date } = command;
        return browser.call(families.setOpeningBalance, {
          params: { id: this.#familyId(command.family) },
          body: { amount, currency, date },
        });
      }
      case 'reverse opening balance': {
        const id = this.#familyId(getCharge(this.state.ledger, command.charge).family);
        const chargeId = this.#chargeId(command.charge);
        return browser.call(families.reverseCharge, { params: { id, chargeId } });
      }
      case 'invoice':
        return this.#issueInvoice(command);
      case 'void':
        return browser.call(invoices.voidInvoice, {
          params: { id: this.#invoiceId(command.invoice) },
          body: {},
        });
      case 'credit': {
        const lines = command.lines.map(({ charge, amount }) => ({
          chargeId: this.#chargeId(charge),
          amount,
        }));
        return browser.call(invoices.creditInvoice, {
          params: { id: this.#invoiceId(command.invoice) },
          body: { lines },
        });
      }
      case 'write off': {
        const { currency, amount } = command;
        const chargeIds = command.charges.map((n) => this.#chargeId(n));
        return browser.call(arrears.writeOff, {
          params: { id: this.#familyId(command.family) },
          body: { chargeIds, currency, amount },
        });
      }
      case 'reverse write-off': {
        const chargeIds = command.charges.map((n) => this.#chargeId(n));
        const params = { id: this.#familyId(command.family) };
        return browser.call(arrears.reverseWriteOff, { params, body: { chargeIds } });
      }
      case 'agree plan': {
        const { kind: _kind, family, ...body } = command;
        return browser.call(arrears.agreeInstalments, {
          params: { id: this.#familyId(family) },
          body,
        });
      }
      case 'end plan':
        return browser.call(arrears.endInstalments, {
          params: { id: this.#familyId(command.family) },
          body: { currency: command.currency },
        });
      case 'ask': {
        const { family } = getCharge(this.state.ledger, command.charge);
        const { browser: own, publicId } = await this.#fixture.portal(family);
        return (key === null ? own : withKey(key, own)).call(portalChargeQueries.queryCharge, {
          params: { publicId, accountId: this.#familyId(family) },
          body: { chargeId: this.#chargeId(command.charge), message: 'Is this right?' },
        });
      }
      case 'withdraw': {
        const { charge } = getQuery(this.state.ledger, command.query);
        const { family } = getCharge(this.state.ledger, charge);
        const { browser: own, publicId } = await this.#fixture.portal(family);
        const id = this.#queryId(command.query);
        const params = { publicId, accountId: this.#familyId(family), id };
        return own.call(portalChargeQueries.withdrawChargeQuery, { params });
      }
      case 'answer':
        return browser.call(chargeQueries.answerChargeQuery, {
          params: { id: this.#queryId(command.query) },
          body: { isOwed: command.isOwed },
        });
      case 'raise prices':
        return this.#raisePrices(command);
      case 'payer':
        return this.#changePayer(command.student, command.payer);
    }
    throw new Error('Unknown command');
  }

  #complete({
    charge,
    exceptions,
    sessions: numbers,
  }: Extract<LedgerCommand, { kind: 'complete' }>): Promise<ApiResponse<unknown>> {
    const { browser } = this.#fixture;
    const completion = {
      attendance: 'attended' as const,
      charge,
      students: exceptions.map((n) => ({
        studentId: this.#studentId(n),
        attendance: 'absent' as const,
        charge: !charge,
      })),
    };
    const [id, ...others] = numbers.map((n) => this.#sessionId(n));
    if (others.length === 0)
      return browser.call(sessions.completeSession, {
        params: { id: requireDefined(id) },
        body: completion,
      });
    return browser.call(sessions.completeSessions, {
      body: {
        sessions: [requireDefined(id), ...others].map((each) => ({ id: each, ...completion })),
      },
    });
  }

  #cancel(command: Extract<LedgerCommand, { kind: 'cancel' }>): Promise<ApiResponse<unknown>> {
    const { browser } = this.#fixture;
    const sessionId = this.#sessionId(command.session);
    if (command.via === 'time off') {
      const { date } = getSession(this.state, command.session);
      const body = { fromDate: date, toDate: date, cancelSessionIds: [sessionId] };
      return browser.call(timeOff.createTimeOff, { body });
    }
    if (command.via === 'delete') {
      const id = requireDefined(this.#fixture.lessons[command.session - 1]);
      return browser.call(lessons.deleteLesson, {
        params: { id },
        query: { scope: 'this', sessionId },
      });
    }
    return browser.call(sessions.cancelSession, {
      params: { id: sessionId },
      body: { cancelledBy: command.by, chargeFee: command.fee },
    });
  }

  async #move(command: Extract<LedgerCommand, { kind: 'move' }>): Promise<ApiResponse<unknown>> {
    const { start } = getSession(this.state, command.session);
    const slot = { date: command.date, startTime: start, endTime: `${start.slice(0, 2)}:50` };
    const response = await this.#fixture.browser.call(sessions.rescheduleSession, {
      params: { id: this.#sessionId(command.session) },
      body: { ...slot, acceptOverlaps: true },
    });
    if (response.status === 200) this.#fixture.sessions.push(response.body.id);
    return response;
  }

  /** Creates drafts for the whole period, keeps the one in the command's currency, sets its lines and issues it. */
  async #issueInvoice(
    command: Extract<LedgerCommand, { kind: 'invoice' }>,
  ): Promise<ApiResponse<unknown>> {
    const { browser } = this.#fixture;
    const period = { from: '2026-01-01', to: '2028-01-01', includeUpcoming: true };
    const created = await browser.call(invoices.draftInvoice, {
      body: { familyId: this.#familyId(command.family), ...period },
    });
    if (created.status !== 201) return created;
    const draft = created.body.find((each) => each.currency === command.currency);
    for (const { id } of created.body) {
      if (id !== draft?.id)
        await callOrThrow(this.#fixture, invoices.deleteInvoice, { params: { id } });
    }
    if (!draft) throw new Error(`there is no draft in ${command.currency}`);
    const params = { id: draft.id };
    const { lines: proposed } = await callOrThrow(this.#fixture, invoices.invoice, { params });
    const mismatch = draftDifference(this.state, command, proposed, this.#ids, this.#fixture);
    if (mismatch) throw new Error(mismatch);
    const lines = command.lines.map((line) => this.#toLine(line));
    const updated = await browser.call(invoices.updateInvoiceDraft, { params, body: { lines } });
    if (updated.status !== 200) return updated;
    return browser.call(invoices.issueInvoices, { body: { ids: [draft.id] } });
  }

  /** The preview must match the model. The save request identifies it by its fingerprint. */
  async #raisePrices(
    command: Extract<LedgerCommand, { kind: 'raise prices' }>,
  ): Promise<ApiResponse<unknown>> {
    const { browser } = this.#fixture;
    const { student, subject, by, step, from } = command;
    const change =
      'percent' in by
        ? { kind: 'percent' as const, value: by.percent }
        : { kind: 'amount' as const, value: by.pennies / 100 };
    const body = {
      studentIds: student === 0 ? [] : [this.#studentId(student)],
      subjectIds: subject === 0 ? [] : [requireDefined(this.#fixture.subjects[subject - 1])],
      ...change,
      rounding: ({ 1: 'none', 50: 'half', 100: 'whole' } as const)[step],
      from,
    };
    const preview = await browser.call(priceRises.previewPriceRise, { body });
    if (preview.status !== 200) return preview;
    const plan = planPriceRise(this.state, command);
    const mismatch = priceRiseDifference(plan, preview.body, this.#fixture);
    if (mismatch) throw new Error(mismatch);
    if (!command.save) return preview;
    const { fingerprint } = preview.body;
    return browser.call(priceRises.savePriceRise, { body: { ...body, fingerprint } });
  }

  #toLine(line: LineInput) {
    if ('charge' in line) return { chargeId: this.#chargeId(line.charge) };
    if ('session' in line) {
      const { id: sessionId, studentId } = this.#seatParams(line);
      return { sessionId, studentId };
    }
    return { description: line.item, amount: line.amount };
  }

  async #changePayer(student: number, payer: string): Promise<ApiResponse<unknown>> {
    const { browser, families: accounts } = this.#fixture;
    const response = await browser.call(students.updateStudent, {
      params: { id: this.#studentId(student) },
      body: {
        name: requireDefined(STUDENT_NAMES[student - 1]),
        email: studentEmail(this.#fixture, student),
        carerId: payer.startsWith('carer') ? this.#contactId(payer) : null,
      },
    });
    if (response.status !== 200) return response;
    const family = requireDefined(response.body.familyId ?? undefined);
    if ((accounts.get(payer) ?? family) !== family) throw new Error(`${payer} has two accounts`);
    accounts.set(payer, family);
    return response;
  }

  #seatParams = ({ session, student }: { session: number; student: number }) => ({
    id: this.#sessionId(session),
    studentId: this.#studentId(student),
  });
  #studentId = (n: number): number => requireDefined(this.#fixture.students[n - 1]);
  /** Only carers are linked or chosen as payers by id. */
  #contactId = (payer: string): number =>
    requireDefined(this.#fixture.carers[Number(payer.replace('carer ', '')) - 1]);
  #sessionId = (n: number): number => requireDefined(this.#fixture.sessions[n - 1]);
  #chargeId = (n: number): number => requireDefined(this.#ids.charges[n - 1]);
  #paymentId = (n: number): number => requireDefined(this.#ids.payments[n - 1]);
  #invoiceId = (n: number): number => requireDefined(this.#ids.invoices[n - 1]);
  #queryId = (n: number): number => requireDefined(this.#ids.queries[n - 1]);
  #familyId = (payer: string): number => requireDefined(this.#fixture.families.get(payer));
}

/** Applies the command as often as it takes effect, and returns the result of each of its requests. */
function applyToCopy(
  state: LedgerState,
  command: LedgerCommand,
): { state: LedgerState; codes: string[] } {
  const times = command.kind === 'repeat' ? command.times : 1;
  const single = command.kind === 'repeat' ? command.command : command;
  const codes: string[] = [];
  let current = state;
  while (codes.length < times) {
    const next = structuredClone(current);
    const code = rejectionCode(() => applyCommandToModel(next, single)) ?? 'success';
    if (code === 'success') current = next;
    const sameKey = command.kind === 'repeat' && command.sameKey;
    codes.push(...Array.from({ length: sameKey ? times : 1 }, () => code));
  }
  return { state: current, codes };
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
