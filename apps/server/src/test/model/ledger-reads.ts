import type { InvoiceLine } from '@lessonbook/contract/invoices';
import type { Balance } from '@lessonbook/contract/payments';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type pg from 'pg';
import { readInvoice } from '../../domains/invoices/service/read.ts';
import { listSessions } from '../../domains/lessons/service/read.ts';
import {
  listFamilies,
  readFamily,
  readStudentBalance,
} from '../../domains/payments/service/families.ts';
import { listPayments, readPayment } from '../../domains/payments/service/read-payments.ts';
import { readEarnings } from '../../domains/reports/service/earnings.ts';
import { findFaults } from '../../invariants.ts';
import { chargeOfSession, type LedgerBook, today } from './ledger-book.ts';
import { balanceOf, chargeOf, found, freeOf, openOf, paidBy, sum } from './ledger-model.ts';
import { reportDifference } from './ledger-report.ts';
import type { Ids } from './ledger-server.ts';
import type { LedgerTutor } from './ledger-tutor.ts';
import { difference } from './server-book.ts';

/* What the screens say of the account book, against the model. */

const CURRENCIES = ['GBP', 'EUR'] as const;

/** Owed is positive, credit negative, nothing is left out. */
const plain = (balances: readonly Balance[]): string =>
  balances
    .filter(({ owed, credit }) => owed !== 0 || credit !== 0)
    .map(({ currency, owed, credit }) => `${owed} owed, ${credit} in credit in ${currency}`)
    .toSorted()
    .join('; ');

const expectedBalances = (book: LedgerBook, family: string): string =>
  plain(
    CURRENCIES.map((currency) => {
      const balance = balanceOf(book.ledger, family, currency);
      return { currency, owed: Math.max(0, balance), credit: Math.max(0, -balance) };
    }),
  );

const expectedAccount = (book: LedgerBook, family: string): string => {
  const open = book.ledger.charges.filter(
    (charge) => charge.family === family && openOf(book.ledger, charge) > 0,
  );
  const [oldest] = open.map(({ due }) => due).toSorted();
  return `${expectedBalances(book, family)} since ${oldest ?? null}`;
};

/** After each act: every family's balance. */
export async function balanceDifference(
  book: LedgerBook,
  { context, tutorId, families }: LedgerTutor,
): Promise<string | null> {
  const list = await listFamilies(context, tutorId);
  const expected = [...families].map(([payer, id]) => [id, expectedAccount(book, payer)]);
  // An account that has nothing and no children any more may be left out of the list.
  const actual = [...families.values()].map((id) => {
    const shown = list.find((family) => family.id === id);
    return [id, shown ? `${plain(shown.balances)} since ${shown.oldestDue}` : ' since null'];
  });
  return difference(Object.fromEntries(expected), Object.fromEntries(actual), 'balance of family');
}

/** A draft of all time offers every open charge that is on no invoice, and every session to come that nobody charged yet. */
export function offerDifference(
  book: LedgerBook,
  { family, currency }: { family: string; currency: string },
  offered: readonly InvoiceLine[],
  ids: Ids,
  tutor: LedgerTutor,
): string | null {
  const charges = book.ledger.charges
    .filter((charge) => charge.family === family && charge.currency === currency)
    .filter((charge) => charge.kind !== 'opening' && charge.invoice === null)
    .filter((charge) => openOf(book.ledger, charge) > 0)
    .map((charge) => `charge ${found(ids.charges[charge.n - 1])}: ${charge.amount}`);
  const coming = book.sessions
    .filter((session) => session.status === 'scheduled' && session.currency === currency)
    .filter((session) => book.payers[session.student - 1] === family && session.fee !== null)
    .filter(({ n, date }) => date > today(book) && !chargeOfSession(book, n))
    .map(({ n, fee }) => `session ${found(tutor.sessions[n - 1])}: ${fee}`);
  const soon = new Set(
    book.sessions
      .filter(({ date }) => date <= today(book))
      .map(({ n }) => found(tutor.sessions[n - 1])),
  );
  // Whether one of today is still to come is the diary's business.
  const lines = offered
    .filter(({ chargeId, sessionId }) => chargeId !== null || !soon.has(sessionId ?? 0))
    .map(({ chargeId, sessionId, amount }) =>
      chargeId === null ? `session ${sessionId}: ${amount}` : `charge ${chargeId}: ${amount}`,
    );
  return difference([...charges, ...coming].toSorted(), lines.toSorted(), 'draft');
}

/** At the end of a history: the checker and the report. */
export async function endDifference(
  book: LedgerBook,
  { context, tutorId }: LedgerTutor,
  inside: pg.Client,
): Promise<string | null> {
  const [fault] = await findFaults(inside, tutorId);
  if (fault) return `${fault.rule}: ${fault.detail}`;
  return reportDifference(book, await readEarnings(context, tutorId, 'all_time'));
}

/** Whatever else a screen shows of money. */
export async function screensDifference(
  book: LedgerBook,
  tutor: LedgerTutor,
  ids: Ids,
): Promise<string | null> {
  return (
    (await sessionsDifference(book, tutor, ids)) ??
    (await studentsDifference(book, tutor)) ??
    (await familiesDifference(book, tutor)) ??
    (await paymentsDifference(book, tutor, ids)) ??
    (await invoicesDifference(book, tutor, ids))
  );
}

/** No calendar asks for more than a hundred days at once. */
const RANGES = [
  ['2026-11-01', '2027-01-31'],
  ['2027-02-01', '2027-04-30'],
  ['2027-05-01', '2027-07-31'],
  ['2027-08-01', '2027-10-31'],
] as const;

async function sessionsDifference(
  book: LedgerBook,
  { context, tutorId, sessions }: LedgerTutor,
  ids: Ids,
): Promise<string | null> {
  const rows: SessionRow[] = [];
  for (const [from, to] of RANGES) rows.push(...(await listSessions(context, tutorId, from, to)));
  const shown = new Map(rows.map((row) => [row.id, row]));
  for (const { n } of book.sessions) {
    const { outstanding, paymentId } = found(shown.get(found(sessions[n - 1])));
    const charge = chargeOfSession(book, n);
    const payment = charge ? paidBy(book.ledger, charge) : null;
    const expected = {
      outstanding: charge ? openOf(book.ledger, charge) : null,
      paymentId: payment === null ? null : found(ids.payments[payment - 1]),
    };
    const wrong = difference(expected, { outstanding, paymentId }, `row of session ${n}`);
    if (wrong) return wrong;
  }
  return null;
}

/** A student's part: charges less credit notes less what was paid of them. */
async function studentsDifference(book: LedgerBook, tutor: LedgerTutor): Promise<string | null> {
  for (const [index, id] of tutor.students.entries()) {
    const { familyId, balances } = await readStudentBalance(tutor.context, tutor.tutorId, id);
    const ours = book.ledger.charges.filter((charge) => charge.student === index + 1);
    const open = CURRENCIES.map((currency) => ({
      currency,
      owed: sum(
        ours
          .filter((charge) => charge.currency === currency)
          .map((charge) => openOf(book.ledger, charge)),
      ),
      credit: 0,
    }));
    const payer = tutor.families.get(found(book.payers[index]));
    const expected = { payer, open: plain(open) };
    const actual = { payer: familyId ?? undefined, open: plain(balances) };
    const wrong = difference(expected, actual, `balance of student ${index + 1}`);
    if (wrong) return wrong;
  }
  return null;
}

/** The account reads from the bottom: each line's balance is the one before it and its own amount. */
async function familiesDifference(
  book: LedgerBook,
  { context, tutorId, families }: LedgerTutor,
): Promise<string | null> {
  for (const [payer, id] of families) {
    const account = await readFamily(context, tutorId, id, { limit: 500, offset: 0 });
    const path = `account of ${payer}`;
    const running: Record<string, number> = {};
    for (const entry of account.entries.toReversed()) {
      const balance = (running[entry.currency] ?? 0) + entry.amount;
      if (balance !== entry.balance) return difference(balance, entry.balance, path);
      running[entry.currency] = balance;
    }
    for (const currency of CURRENCIES) {
      const balance = balanceOf(book.ledger, payer, currency);
      if (balance !== (running[currency] ?? 0)) return difference(balance, running[currency], path);
    }
  }
  return null;
}

/** What a receipt says. */
async function paymentsDifference(
  book: LedgerBook,
  { context, tutorId }: LedgerTutor,
  ids: Ids,
): Promise<string | null> {
  const { ledger } = book;
  const list = await listPayments(context, tutorId, { period: 'all_time', limit: 500, offset: 0 });
  // An opening credit is no payment of any period.
  const listed = ledger.payments.filter((payment) => !payment.reversed && !payment.opening);
  const missing = difference(
    listed.map(({ n, amount }) => `${found(ids.payments[n - 1])}: ${amount}`).toSorted(),
    list
      .filter(({ method }) => method !== 'opening')
      .map(({ id, amount }) => `${id}: ${amount}`)
      .toSorted(),
    'list of payments',
  );
  if (missing) return missing;
  for (const payment of ledger.payments) {
    if (payment.kind === 'refund') continue;
    const receipt = await readPayment(context, tutorId, found(ids.payments[payment.n - 1]));
    const covered = ledger.standings
      .filter((one) => one.payment === payment.n)
      .map(({ charge: n, amount }) => {
        const open = openOf(ledger, chargeOf(ledger, n));
        return `${amount} of charge ${found(ids.charges[n - 1])}, ${open} open`;
      });
    const covers = receipt.covers.map(
      ({ chargeId, amount, outstanding }) => `${amount} of charge ${chargeId}, ${outstanding} open`,
    );
    const wrong = difference(
      {
        covers: covered.toSorted(),
        credit: freeOf(ledger, payment),
        refunded: payment.refunded,
        balance: balanceOf(ledger, payment.family, payment.currency),
      },
      {
        covers: covers.toSorted(),
        credit: receipt.credit,
        refunded: receipt.refunded,
        balance: receipt.balance.owed - receipt.balance.credit,
      },
      `receipt of payment ${payment.n}`,
    );
    if (wrong) return wrong;
  }
  return null;
}

async function invoicesDifference(
  book: LedgerBook,
  { context, tutorId }: LedgerTutor,
  ids: Ids,
): Promise<string | null> {
  for (const document of book.invoices) {
    const { n, lines } = document;
    const invoice = await readInvoice(context, tutorId, found(ids.invoices[n - 1]));
    const charges = lines.map(({ charge }) => chargeOf(book.ledger, charge));
    const total = sum(lines.map(({ amount }) => amount));
    const due = document.void ? 0 : sum(charges.map((charge) => openOf(book.ledger, charge)));
    const credited = document.void ? 0 : sum(charges.map((charge) => charge.noted));
    const wrong = difference(
      { total, due, credited, void: document.void },
      {
        total: invoice.total,
        due: invoice.due,
        credited: invoice.credited,
        void: invoice.state === 'void',
      },
      `invoice ${n}`,
    );
    if (wrong) return wrong;
    if (!document.void && invoice.paid !== total - due - credited) {
      return difference(total - due - credited, invoice.paid, `invoice ${n}: paid`);
    }
  }
  return null;
}
