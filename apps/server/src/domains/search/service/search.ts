import type { InvoiceRow } from '@lessonbook/contract/invoices';
import { lessonLabel } from '@lessonbook/contract/lesson-names';
import { normalizeText } from '@lessonbook/contract/normalize-text';
import { SEARCH_LIMIT, type SearchResults } from '@lessonbook/contract/search';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import type { RateLimit } from '../../../platform/http/rate-limiter.ts';
import type { RequestContext } from '../../../platform/http/request-context.ts';
import { containsPattern, phonePattern, wordPattern } from '../../../platform/search-patterns.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { findInvoices } from '../../invoices/service/list-invoices.ts';
import { getInvoicesByIds } from '../../invoices/service/read.ts';
import { toSessionRows } from '../../lessons/service/read.ts';
import { getFamiliesByIds } from '../../payments/service/families.ts';
import { findPayments, invoiceIdsByNumber, sessionsOnDate } from '../queries/money-and-lessons.ts';
import {
  type ContactMatch,
  matchingContacts,
  matchingStudents,
  matchingSubjects,
  type NamePatterns,
  type StudentMatch,
} from '../queries/names.ts';
import { type ParsedQuery, parseQuery } from '../rules/parse-query.ts';

/**
 * Far more than a person types. The network is a part of the key because visitors to the demo share one account.
 */
const searchByTutor: RateLimit = { name: 'search-tutor', burst: 300, perSeconds: 60 };

/** More people than are shown, because their invoices and payments are searched, too. */
const MAX_PEOPLE = 20;

export async function search(
  context: Context,
  tutorId: string,
  text: string,
  { network }: RequestContext,
): Promise<SearchResults> {
  // Run concurrently, because counting waits for the disk.
  const [results] = await Promise.all([
    readResults(context, tutorId, text),
    context.limiter.consume(searchByTutor, `${tutorId}:${network}`),
  ]);
  return results;
}

function readResults(context: Context, tutorId: string, text: string): Promise<SearchResults> {
  const now = context.clock.now();
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const today = dateInZone(await getTimeZone(tx, tutorId), now);
    const query = parseQuery(text, today);
    const { students, contacts, subjects, invoiceIds } = await matchNames(tx, tutorId, query);
    const familyIds = rankFamilies(contacts, students);
    const families = await getFamiliesByIds(tx, tutorId, familyIds.slice(0, SEARCH_LIMIT));
    // Names that only repeat a date or a state say nothing about money.
    const payers = query.hasNames ? familyIds : [];
    return {
      date: query.date,
      students: rankStudents(students, contacts).slice(0, SEARCH_LIMIT),
      contacts: contacts
        .filter((contact) => contact.familyId === null && contact.students.length > 0)
        .slice(0, SEARCH_LIMIT),
      families: families.map(({ id, name, students: names, balances }) => ({
        id,
        name,
        students: names,
        owed: balances
          .filter(({ owed }) => owed > 0)
          .map(({ currency, owed }) => ({ currency, amount: owed })),
      })),
      lessons: await searchLessons(tx, tutorId, query, now),
      invoices: await searchInvoices(context, tx, tutorId, { query, today, invoiceIds, payers }),
      payments: await searchPayments(tx, tutorId, query, payers),
      subjects,
    };
  });
}

async function matchNames(tx: Tx, tutorId: string, query: ParsedQuery) {
  const { names, email, phoneDigits, invoiceNumber } = query;
  const patterns: NamePatterns = {
    // A single letter is in most names.
    words: names.map((word) => wordPattern(word, /^[\p{L}\p{N}]$/u.test(word))),
    wordStarts: names.map((word) => wordPattern(word, true)),
    email: email && containsPattern(email),
    phone: phoneDigits && phonePattern(phoneDigits),
  };
  const [students, contacts, subjects, invoices] = await executeBatch(tx, [
    matchingStudents(tx, tutorId, patterns, MAX_PEOPLE),
    matchingContacts(tx, tutorId, patterns, MAX_PEOPLE),
    matchingSubjects(tx, tutorId, patterns, SEARCH_LIMIT),
    invoiceNumber &&
      invoiceIdsByNumber(
        tx,
        tutorId,
        [invoiceNumber.text, invoiceNumber.text.toUpperCase()].map(containsPattern),
        invoiceNumber.sequence,
        SEARCH_LIMIT,
      ),
  ]);
  return { students, contacts, subjects, invoiceIds: invoices.map(({ id }) => id) };
}

/** Students who match come before those whose contact does. */
function rankStudents(
  students: readonly StudentMatch[],
  contacts: readonly ContactMatch[],
): SearchResults['students'] {
  const ranked = [
    ...students.map(({ familyIds: [familyId = null], ...student }) => ({ ...student, familyId })),
    ...contacts.flatMap(({ name: carerName, familyId, students: ofContact }) =>
      ofContact.map((student) => ({ ...student, carerName, familyId })),
    ),
  ];
  return ranked.filter(({ id }, index) => ranked.findIndex((other) => other.id === id) === index);
}

/** Payers who match come before payers whose student does. */
const rankFamilies = (
  contacts: readonly ContactMatch[],
  students: readonly StudentMatch[],
): number[] => [
  ...new Set([
    ...contacts.flatMap(({ familyId }) => familyId ?? []),
    ...students.flatMap(({ familyIds }) => familyIds),
  ]),
];

async function searchLessons(tx: Tx, tutorId: string, query: ParsedQuery, now: Date) {
  if (query.date === null) return [];
  const { rows } = await tx.executeQuery(sessionsOnDate(tx, tutorId, query.date, now));
  const hasWords = ({ title, studentName, subjectName }: SessionRow) => {
    const searched = normalizeText(`${title} ${studentName} ${subjectName}`).replaceAll("'", '');
    return !query.hasNames || query.names.every((word) => searched.includes(word));
  };
  return toSessionRows(rows)
    .filter(hasWords)
    .slice(0, SEARCH_LIMIT)
    .map((row) => ({ ...row, title: lessonLabel(row) }));
}

async function searchInvoices(
  context: Context,
  tx: Tx,
  tutorId: string,
  by: {
    query: ParsedQuery;
    today: string;
    invoiceIds: readonly number[];
    payers: readonly number[];
  },
): Promise<InvoiceRow[]> {
  const { query, today, invoiceIds, payers } = by;
  const byNumber = await getInvoicesByIds(context, tx, tutorId, invoiceIds, today);
  const isWanted = query.hasNames ? payers.length > 0 : query.state !== null;
  const filter = {
    state: query.state ?? undefined,
    familyIds: query.hasNames ? payers : undefined,
    limit: SEARCH_LIMIT,
    offset: 0,
  };
  const others = isWanted ? await findInvoices(context, tx, tutorId, filter, today) : [];
  const remaining = others.filter(({ id }) => !invoiceIds.includes(id));
  return [...byNumber, ...remaining].slice(0, SEARCH_LIMIT);
}

async function searchPayments(
  tx: Tx,
  tutorId: string,
  query: ParsedQuery,
  familyIds: readonly number[],
) {
  // 'Hale overdue' asks for invoices.
  if (query.state !== null) return [];
  const { amount, date, hasNames } = query;
  const by = { familyIds, amount, date: hasNames ? null : date };
  const found = await findPayments(tx, tutorId, by, SEARCH_LIMIT)?.execute();
  return (found ?? []).slice(0, SEARCH_LIMIT);
}
