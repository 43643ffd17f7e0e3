import { formatInvoiceState } from '@lessonbook/contract/invoice-labels';
import { PAYMENT_METHOD_LABELS } from '@lessonbook/contract/payment-method-labels';
import { MAX_SEARCH_LENGTH, type SearchResults, search } from '@lessonbook/contract/search';
import { useDebouncedValue } from '@mantine/hooks';
import {
  IconAddressBook,
  IconBook2,
  IconCalendarEvent,
  IconCoins,
  IconFileInvoice,
  IconListCheck,
  IconUser,
  IconUsersGroup,
} from '@tabler/icons-react';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import {
  firstName,
  formatAmount,
  formatList,
  formatShortDate,
  formatTimeRange,
} from '../../lib/format.ts';
import { callApi } from '../../lib/http.ts';
import { useTutor } from '../accounts/AuthProvider.tsx';
import { type Command, containsWords } from './search-commands.ts';

const DEBOUNCE_MS = 120;
/** If a query is typed again within this time, for example after a mistake, its results are shown immediately. */
const CACHE_MS = 60_000;

const searchQuery = (q: string) =>
  queryOptions({
    queryKey: ['/api/search', q],
    // React Query aborts the request when the text changes.
    queryFn: ({ signal }) => callApi(search.search, { query: { q }, signal }),
    gcTime: CACHE_MS,
  });

interface Options {
  /** False while the palette shows something else. */
  enabled: boolean;
}

/** The server's results for the typed text. While a search is running, earlier results that contain the text stay visible. */
export function useServerSearchResults(typed: string, { enabled }: Options) {
  const { today } = useTutor();
  const navigate = useNavigate();
  const text = typed.trim().slice(0, MAX_SEARCH_LENGTH);
  const [debounced] = useDebouncedValue(text, DEBOUNCE_MS, { leading: true });
  const isSearching = enabled && text !== '' && debounced !== '';
  const results = useQuery({
    ...searchQuery(debounced),
    enabled: isSearching,
    placeholderData: keepPreviousData,
  });
  const { data } = results;
  const isOutdated = debounced !== text || results.isPlaceholderData;
  const commands =
    isSearching && data ? toCommands(data, { today, goTo: (link) => void navigate(link) }) : [];
  return {
    commands: isOutdated ? commands.filter((command) => containsWords(command, text)) : commands,
    isPending: isSearching && (isOutdated || results.isPending) && !results.isError,
    isError: isSearching && results.isError,
  };
}

interface Actions {
  today: string;
  goTo: (link: NavigateOptions) => void;
}

function toCommands(found: SearchResults, actions: Actions): Command[] {
  return [
    ...found.students.map((student) => studentCommand(student, actions)),
    ...found.families.map((family) => familyCommand(family, actions)),
    ...found.contacts.flatMap((contact) => contactCommand(contact, actions)),
    ...found.lessons.map((lesson) => lessonCommand(lesson, actions)),
    ...(found.date === null ? [] : [dayCommand(found.date, actions)]),
    ...found.invoices.map((invoice) => invoiceCommand(invoice, actions)),
    ...found.payments.map((payment) => paymentCommand(payment, actions)),
    ...found.subjects.map((subject) => subjectCommand(subject, actions)),
  ];
}

type Found<Kind extends Exclude<keyof SearchResults, 'date'>> = SearchResults[Kind][number];

const joinHints = (...hints: (string | null | false)[]): string => hints.filter(Boolean).join(', ');

/** A deleted student has no page, so the result opens the payer's account instead. */
function studentCommand(student: Found<'students'>, { goTo }: Actions): Command {
  const { id, name, subject, carerName, familyId, isArchived } = student;
  const opensFamily = isArchived && familyId !== null;
  return {
    id: `student-${id}`,
    section: 'Students',
    label: name,
    hint: joinHints(
      subject,
      carerName && `Carer: ${carerName}`,
      isArchived && 'removed from your lists',
    ),
    Icon: IconUser,
    opens: 'page',
    run: () =>
      goTo(
        opensFamily
          ? { to: '/families/$id', params: { id: String(familyId) } }
          : { to: '/students/$id', params: { id: String(id) } },
      ),
  };
}

/** Payers may share a name, so the hint shows their children and what they owe. */
function familyCommand(
  { id, name, students, owed }: Found<'families'>,
  { goTo }: Actions,
): Command {
  const others = students.filter((student) => student !== name);
  const amounts = owed.map(({ amount, currency }) => formatAmount(amount, currency));
  return {
    id: `family-${id}`,
    section: 'Families',
    label: name,
    hint: joinHints(
      formatList(others.map(firstName)),
      amounts.length > 0 && `owes ${formatList(amounts)}`,
    ),
    Icon: IconUsersGroup,
    opens: 'page',
    run: () => goTo({ to: '/families/$id', params: { id: String(id) } }),
  };
}

/** Opens the student's page, which shows the contacts. */
function contactCommand(contact: Found<'contacts'>, { goTo }: Actions): Command[] {
  const [student, ...others] = contact.students.filter(({ isArchived }) => !isArchived);
  if (!student) return [];
  const names = [student, ...others].map(({ name }) => firstName(name));
  return [
    {
      id: `contact-${contact.id}`,
      section: 'Contacts',
      label: contact.name,
      hint: `${contact.relationship ?? 'Contact'} of ${formatList(names)}`,
      Icon: IconAddressBook,
      opens: 'page',
      run: () =>
        goTo({
          to: '/students/$id',
          params: { id: String(student.id) },
          search: { tab: 'people' },
        }),
    },
  ];
}

function lessonCommand(lesson: Found<'lessons'>, { today, goTo }: Actions): Command {
  const { id, title, date, startTime, endTime, status } = lesson;
  return {
    id: `session-${id}`,
    section: 'Lessons',
    label: title,
    hint: joinHints(
      `${formatShortDate(date, today)} ${formatTimeRange(startTime, endTime)}`,
      status !== 'scheduled' && status,
    ),
    Icon: IconCalendarEvent,
    opens: 'page',
    run: () => goTo({ to: '/sessions/$id', params: { id: String(id) } }),
  };
}

const dayCommand = (date: string, { today, goTo }: Actions): Command => ({
  id: `day-${date}`,
  section: 'Lessons',
  label: `All lessons on ${formatShortDate(date, today)}`,
  Icon: IconListCheck,
  opens: 'page',
  run: () => goTo({ to: '/sessions', search: { date } }),
});

function invoiceCommand(invoice: Found<'invoices'>, { today, goTo }: Actions): Command {
  const { id, kind, number, state, familyName, total, currency, dueOn } = invoice;
  const isCreditNote = kind === 'credit_note' && state !== 'void';
  const stateLabel = isCreditNote ? 'Credit note' : formatInvoiceState(invoice);
  const isOpen = ['sent', 'part_paid', 'overdue'].includes(state) && !isCreditNote;
  return {
    id: `invoice-${id}`,
    section: 'Invoices',
    label: number ?? `Draft for ${familyName}`,
    hint: joinHints(
      number !== null && familyName,
      formatAmount(total, currency),
      number !== null && stateLabel,
      isOpen && dueOn !== null && `due ${formatShortDate(dueOn, today)}`,
    ),
    Icon: IconFileInvoice,
    opens: 'page',
    run: () => goTo({ to: '/invoices/$id', params: { id: String(id) } }),
  };
}

function paymentCommand(payment: Found<'payments'>, { today, goTo }: Actions): Command {
  const { id, kind, familyId, familyName, amount, currency, method, paidOn } = payment;
  return {
    id: `payment-${id}`,
    section: 'Payments',
    label: `${formatAmount(Math.abs(amount), currency)} ${kind}`,
    hint: joinHints(familyName, formatShortDate(paidOn, today), PAYMENT_METHOD_LABELS[method]),
    Icon: IconCoins,
    opens: 'page',
    run: () =>
      goTo({ to: '/families/$id', params: { id: String(familyId) }, search: { payment: id } }),
  };
}

const subjectCommand = ({ id, name }: Found<'subjects'>, { goTo }: Actions): Command => ({
  id: `subject-${id}`,
  section: 'Subjects',
  label: name,
  Icon: IconBook2,
  opens: 'page',
  run: () => goTo({ to: '/schedule', search: { view: 'subjects' } }),
});
