import { accounts } from '@lessonbook/contract/accounts';
import { type BusinessSettings, businessSettings } from '@lessonbook/contract/business-settings';
import {
  type CancellationPolicyInput,
  cancellationPolicy,
} from '@lessonbook/contract/cancellation-policy-settings';
import { type Dashboard, dashboard } from '@lessonbook/contract/dashboard';
import { addDaysToDate } from '@lessonbook/contract/dates';
import type { Endpoint, EndpointInput, EndpointReply } from '@lessonbook/contract/endpoint';
import { type Family, type FamilyDetails, families } from '@lessonbook/contract/families';
import { type Invoice, type InvoiceRow, invoices } from '@lessonbook/contract/invoices';
import { lessonNotes, type SaveNoteInput } from '@lessonbook/contract/lesson-notes';
import { type LessonInput, lessons } from '@lessonbook/contract/lessons';
import { type Message, messages, type ReminderInput } from '@lessonbook/contract/messages';
import {
  type Payment,
  type PaymentDetails,
  type PaymentInput,
  payments,
  type RefundInput,
} from '@lessonbook/contract/payments';
import { portalSettings } from '@lessonbook/contract/portal-management';
import { publicBills } from '@lessonbook/contract/public-bill';
import { type RateInput, rates } from '@lessonbook/contract/rates';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { type CompleteInput, type SessionRow, sessions } from '@lessonbook/contract/sessions';
import {
  type ContactInput,
  studentContacts,
} from '@lessonbook/contract/student-contacts-and-payers';
import {
  type Carer,
  type ContactAccess,
  type Student,
  type StudentInput,
  students,
} from '@lessonbook/contract/students';
import { type Subject, type SubjectInput, subjects } from '@lessonbook/contract/subjects';
import { type TermCalendarInput, termCalendars } from '@lessonbook/contract/term-calendars';
import { timeOff } from '@lessonbook/contract/time-off';
import { daytimeZone } from '@lessonbook/fakes/shared/daytime-zone';
import { type APIRequestContext, expect } from '@playwright/test';

const MAX_RANGE_DAYS = 100;

/** The default settings for a new tutor. */
const DEFAULT_BUSINESS: BusinessSettings = { dueDays: 7, invoicePrefix: '', nextInvoiceNumber: 1 };

const NO_ACCESS: ContactAccess = {
  seesLessons: false,
  seesPlace: false,
  seesNotes: false,
  seesMoney: false,
  mayCancel: false,
  mayRequestMoves: false,
};

/** Calls the API as the tutor, to create test data and check results. */
export type ApiClient = ReturnType<typeof createApiClient>;

interface NewLesson extends Partial<Omit<LessonInput, 'studentId' | 'subjectId'>> {
  student: Student;
  subject: Subject;
  date: string;
  /** 'HH:mm'; the lesson lasts an hour unless `end` is given. */
  start: string;
  end?: string;
}

export interface SavedLesson {
  lessonId: number;
  /** The lesson's first session. */
  sessionId: number;
  title: string;
}

export function createApiClient(http: APIRequestContext, origin: string) {
  async function call<E extends Endpoint>(
    endpoint: E,
    input: EndpointInput<E>,
  ): Promise<EndpointReply<E>> {
    const { params = {}, query, body } = input as Partial<Record<string, Record<string, string>>>;
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => String(params[name]));
    const response = await http.fetch(`${origin}${path}`, {
      method: endpoint.method,
      headers: { origin },
      ...(query && { params: query }),
      ...(body && { data: body }),
    });
    expect(response.status(), `${endpoint.method} ${path}: ${await response.text()}`).toBe(
      endpoint.status ?? 200,
    );
    return (await response.json()) as EndpointReply<E>;
  }

  return {
    addStudent: (name: string, overrides: Partial<StudentInput> = {}): Promise<Student> =>
      call(students.createStudent, { body: { name, ...overrides } }),

    addSubject: (
      name: string,
      defaultFee = 35,
      overrides: Partial<SubjectInput> = {},
    ): Promise<Subject> =>
      call(subjects.createSubject, { body: { name, defaultFee, ...overrides } }),

    /** Adds another contact to a student. The contact has only the given permissions. */
    async addContact(
      { id }: Student,
      contact: Pick<ContactInput, 'name' | 'email'>,
      access: Partial<ContactAccess> = {},
    ): Promise<void> {
      const { contacts } = await call(studentContacts.addContact, {
        params: { id },
        body: contact,
      });
      const contactId = contacts.find(({ name }) => name === contact.name)?.id ?? 0;
      const body = { ...contact, access: { ...NO_ACCESS, ...access } };
      await call(studentContacts.updateContact, { params: { id, contactId }, body });
    },

    saveRate: (body: RateInput) => call(rates.saveRate, { body }),
    addTermCalendar: (body: TermCalendarInput) => call(termCalendars.createTermCalendar, { body }),
    savePolicy: (body: CancellationPolicyInput) => call(cancellationPolicy.updatePolicy, { body }),
    openPortal: () => call(portalSettings.openPortal, {}),

    async addLesson(lesson: NewLesson): Promise<SavedLesson> {
      const { student, subject, start, end = oneHourAfter(start), ...overrides } = lesson;
      const title = lesson.title ?? `${student.name} - ${subject.name}`;
      const body = {
        studentId: student.id,
        subjectId: subject.id,
        startTime: start,
        endTime: end,
        fee: subject.defaultFee,
        currency: subject.currency,
        ...overrides,
        title,
      };
      const { lessonId, sessionId } = await call(lessons.createLesson, { body });
      if (sessionId === null) throw new Error(`${title} has no session`);
      return { lessonId, sessionId, title };
    },

    /** Creates a lesson that is completed and charged. */
    async addCompletedLesson(lesson: NewLesson): Promise<SavedLesson> {
      const saved = await this.addLesson(lesson);
      await call(sessions.completeSession, { params: { id: saved.sessionId }, body: {} });
      return saved;
    },
    shareNote: (id: number, student: Student, note: Omit<SaveNoteInput, 'share'>) =>
      call(lessonNotes.saveNote, {
        params: { id, studentId: student.id },
        body: { ...note, share: true },
      }),
    addTimeOff: (body: EndpointInput<typeof timeOff.createTimeOff>['body']) =>
      call(timeOff.createTimeOff, { body }),
    archiveStudent: (id: number) => call(students.deleteStudent, { params: { id } }),
    saveBusinessSettings: (body: Partial<BusinessSettings>): Promise<BusinessSettings> =>
      call(businessSettings.saveBusinessSettings, { body: { ...DEFAULT_BUSINESS, ...body } }),

    /** Sets a time zone in which it is daytime, so that automatic messages are sent immediately. */
    useDaytimeZone: ({ name, email }: { name: string; email: string }) =>
      call(accounts.updateMe, { body: { name, email, timeZone: daytimeZone() } }),
    students: (): Promise<Student[]> => call(students.listStudents, {}),
    carers: (): Promise<Carer[]> => call(students.listCarers, {}),
    subjects: (): Promise<Subject[]> => call(subjects.listSubjects, {}),
    lessons: () => call(lessons.listLessons, {}),
    session: (id: number) => call(sessions.session, { params: { id } }),
    /** Includes both days. Sends several requests, because the server limits the range. */
    async sessions(from: string, to: string): Promise<SessionRow[]> {
      const rows: SessionRow[] = [];
      for (let first = from; first <= to; first = addDaysToDate(first, MAX_RANGE_DAYS)) {
        const last = addDaysToDate(first, MAX_RANGE_DAYS - 1);
        const query = { from: first, to: last < to ? last : to };
        rows.push(...(await call(sessions.listSessions, { query })));
      }
      return rows;
    },
    dueSessions: (): Promise<SessionRow[]> => call(sessions.dueSessions, {}),
    completeSessions: (ids: number[]) =>
      call(sessions.completeSessions, { body: { sessions: ids.map((id) => ({ id })) } }),
    dashboard: (): Promise<Dashboard> => call(dashboard.dashboard, {}),

    families: (): Promise<Family[]> => call(families.listFamilies, {}),
    family: (id: number): Promise<FamilyDetails> =>
      call(families.family, { params: { id }, query: {} }),
    /** The account of the payer with this name. */
    async findAccount(name: string): Promise<FamilyDetails> {
      const found = (await call(families.listFamilies, {})).find((each) => each.name === name);
      if (!found) throw new Error(`${name} has no account`);
      return call(families.family, { params: { id: found.id }, query: {} });
    },
    payments: (): Promise<Payment[]> => call(payments.listPayments, { query: {} }),
    recordPayment: (body: PaymentInput): Promise<PaymentDetails> =>
      call(payments.recordPayment, { body }),
    refundPayment: (id: number, body: RefundInput): Promise<PaymentDetails> =>
      call(payments.refundPayment, { params: { id }, body }),
    /** Issues an invoice for all charges and sessions of the account that have not been invoiced yet. */
    async issueInvoice(familyId: number, from: string, to: string): Promise<Invoice> {
      const [draft] = await call(invoices.draftInvoice, { body: { familyId, from, to } });
      const id = draft?.id ?? 0;
      await call(invoices.issueInvoices, { body: { ids: [id] } });
      return call(invoices.invoice, { params: { id } });
    },
    sendInvoice: (id: number) =>
      call(messages.sendInvoice, { params: { id }, body: { channel: 'email' } }),
    invoice: (id: number): Promise<Invoice> => call(invoices.invoice, { params: { id } }),
    voidInvoice: (id: number) => call(invoices.voidInvoice, { params: { id }, body: {} }),
    creditInvoice: ({ id, lines }: Invoice) =>
      call(invoices.creditInvoice, {
        params: { id },
        body: {
          lines: lines.map(({ chargeId, amount }) => ({ chargeId: chargeId ?? 0, amount })),
          reason: 'Lesson cancelled',
        },
      }),
    invoices: (): Promise<InvoiceRow[]> => call(invoices.listInvoices, { query: {} }),
    draftBulkInvoices: (from: string, to: string): Promise<InvoiceRow[]> =>
      call(invoices.draftAllInvoices, { body: { from, to, includeUpcoming: false } }),
    issueInvoices: (ids: number[]): Promise<InvoiceRow[]> =>
      call(invoices.issueInvoices, { body: { ids } }),

    messages: (): Promise<Message[]> => call(messages.listMessages, { query: {} }),
    sendReminder: (body: ReminderInput): Promise<{ messages: Message[] }> =>
      call(messages.sendReminder, { body }),
    startReminders: () => call(reminders.startReminders, { body: { excludedKeys: [] } }),

    outbox: (): Promise<Message[]> => call(messages.outbox, {}),
    markMessageOpened: (id: number) => call(messages.markMessageOpened, { params: { id } }),
    resolveMessage: (id: number, outcome: 'sent' | 'dismissed') =>
      call(messages.setMessageOutcome, { params: { id }, body: { outcome } }),
    /** Claims a transfer as the payer would on the public page. */
    claimTransfer: (token: string) => call(publicBills.claimTransfer, { params: { token } }),

    completeSession: (id: number, body: Partial<CompleteInput> = {}) =>
      call(sessions.completeSession, { params: { id }, body }),
  };
}

function oneHourAfter(time: string): string {
  return `${String(Number(time.slice(0, 2)) + 1).padStart(2, '0')}${time.slice(2)}`;
}
