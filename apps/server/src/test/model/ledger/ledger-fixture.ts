import type { Currency } from '@lessonbook/contract/money';
import type { Context } from '../../../context.ts';
import { insertTutor } from '../../../domains/accounts/queries/tutors.ts';
import { updatePolicy } from '../../../domains/lessons/service/cancel-session.ts';
import { createLesson } from '../../../domains/lessons/service/create-lesson.ts';
import { setPayers } from '../../../domains/payments/service/payers.ts';
import { addContact } from '../../../domains/students/service/student-contacts.ts';
import { addStudent } from '../../../domains/students/service/students.ts';
import { addSubject } from '../../../domains/subjects/service.ts';
import { eventSubscribers } from '../../../event-subscribers.ts';
import { randomToken } from '../../../platform/crypto/tokens.ts';
import { uuidV7 } from '../../../platform/db/uuid.ts';
import { EventBus } from '../../../platform/events.ts';
import { type TestApp, TestClock } from '../../test-app.ts';
import type { Random } from '../random.ts';
import { emptyLedger, type Ledger, orThrow } from './ledger-model.ts';
import { type LedgerState, type ModelSession, plusDays } from './ledger-state.ts';
import { FROM_START } from './payers-model.ts';
import { CURRENCIES } from './random-commands.ts';

/** The tutor for one history, with a separate clock and the server's ids in the model's order. */
export interface LedgerFixture {
  context: Context;
  clock: TestClock;
  tutorId: string;
  students: number[];
  carers: number[];
  subjects: number[];
  sessions: number[];
  /** The lesson id of each session. */
  lessons: number[];
  families: Map<string, number>;
}

const FAR_FUTURE = new Date('2100-01-01T00:00:00Z');
export const STUDENT_NAMES = ['Maya', 'Noor', 'Ben', 'Ida'];
export const SUBJECT_NAMES = ['Maths', 'French'];
/** One carer with two children, one carer with one child, and one student who pays for herself. */
const CARER_NAMES = ['Ruth Okafor', 'Ruth Okafor', 'Sam Lindqvist', null];

let count = 0;

/** The app's context with a separate clock, so that concurrent histories do not share a clock. */
function contextWithClock(app: TestApp, clock: TestClock): Context {
  const events = new EventBus<Context>(eventSubscribers);
  const context: Context = {
    ...app.context,
    clock,
    events: { publish: (tx, event, payload) => events.publish(context, tx, event, payload) },
  };
  return context;
}

export async function createLedgerFixture(
  app: TestApp,
  random: Random,
  order: Ledger['order'],
): Promise<{ fixture: LedgerFixture; state: LedgerState }> {
  const clock = new TestClock();
  const context = contextWithClock(app, clock);
  const now = clock.now();
  const tutorId = uuidV7(now);
  count += 1;
  const name = `ledger${count}`;
  await context.db.newTutorTransaction(tutorId, (tx) =>
    insertTutor(tx, {
      tutorId,
      publicId: randomToken(),
      name: 'Ada Fenwick',
      timeZone: 'Europe/London',
      trialEndsAt: FAR_FUTURE,
      username: name,
      usernameKey: name,
      email: `${name}@example.com`,
      emailKey: `${name}@example.com`,
      passwordHash: 'not a valid hash',
      now,
    }),
  );
  const fixture: LedgerFixture = {
    context,
    clock,
    tutorId,
    students: [],
    carers: [],
    subjects: [],
    sessions: [],
    lessons: [],
    families: new Map(),
  };
  const state: LedgerState = {
    ledger: emptyLedger(order),
    sessions: [],
    payers: [],
    contacts: [],
    invoices: [],
    creditNotes: [],
    policy: { noticeHours: 24, feePercent: random.pick([100, 100, 50, 33]) },
    now: '2026-11-16 12:00',
  };
  await updatePolicy(context, tutorId, state.policy);
  await createSubjectsAndStudents(fixture, state);
  await splitCharges(fixture, state, random);
  await createLessons(fixture, state, random);
  return { fixture, state };
}

async function createSubjectsAndStudents(
  fixture: LedgerFixture,
  state: LedgerState,
): Promise<void> {
  const { context, tutorId } = fixture;
  for (const name of SUBJECT_NAMES) {
    const subject = { name, defaultFee: 30, currency: 'GBP' as const };
    fixture.subjects.push((await addSubject(context, tutorId, subject, null)).id);
  }
  for (const [index, name] of STUDENT_NAMES.entries()) {
    const carerName = CARER_NAMES[index] ?? null;
    const isSibling = CARER_NAMES.indexOf(carerName) < index;
    const carer = isSibling ? { carerId: fixture.carers.at(-1) ?? null } : { carerName };
    const student = await addStudent(context, tutorId, { name, ...carer }, null);
    if (student.carerId !== null && !isSibling) fixture.carers.push(student.carerId);
    fixture.students.push(student.id);
    const payer = carerName ? `carer ${fixture.carers.length}` : `student ${index + 1}`;
    state.payers.push([{ from: FROM_START, shares: [{ payer, percent: 100 }] }]);
    state.contacts.push([payer]);
    fixture.families.set(payer, orThrow(student.familyId ?? undefined));
  }
}

/** The charges for some children are split between both carers from the start. */
async function splitCharges(
  { context, tutorId, students, carers }: LedgerFixture,
  state: LedgerState,
  random: Random,
): Promise<void> {
  for (const [index, [main]] of state.contacts.entries()) {
    if (!main?.startsWith('carer') || random.chance(0.6)) continue;
    const payers = [main, main === 'carer 1' ? 'carer 2' : 'carer 1'];
    const ids = payers.map((payer) => orThrow(carers[Number(payer.slice(6)) - 1]));
    const percent = random.pick([33, 50, 60]);
    const percents = [percent, 100 - percent];
    const student = orThrow(students[index]);
    await addContact(context, tutorId, student, { contactId: orThrow(ids[1]) }, null);
    await setPayers(context, tutorId, student, {
      from: FROM_START,
      payers: ids.map((contactId, n) => ({ contactId, percent: orThrow(percents[n]) })),
    });
    const shares = payers.map((payer, n) => ({ payer, percent: orThrow(percents[n]) }));
    Object.assign(state.payers, { [index]: [{ from: FROM_START, shares }] });
    Object.assign(state.contacts, { [index]: payers });
  }
}

/** Students who are in the lesson with another one, some with a price of their own; null is free. */
function randomGroup(
  random: Random,
  student: number,
): { student: number; ownFee?: number | null }[] {
  const others = random.chance(0.5)
    ? STUDENT_NAMES.map((_, index) => index + 1).filter((n) => n !== student && random.chance(0.6))
    : [];
  return [student, ...others].map((n) => ({
    student: n,
    ...(random.chance(0.2) ? { ownFee: random.pick([null, random.between(1000, 3000)]) } : {}),
  }));
}

/** Creates a weekly lesson for each student and some one-off lessons in the past, each at a different hour. */
async function createLessons(
  fixture: LedgerFixture,
  state: LedgerState,
  random: Random,
): Promise<void> {
  const pastStudents = Array.from({ length: 3 }, () => random.between(1, 4));
  for (const [index, student] of [1, 2, 3, 4, ...pastStudents].entries()) {
    const isWeekly = index < 4;
    const date = plusDays('2026-11-16', isWeekly ? random.between(0, 6) : -random.between(1, 14));
    const hour = 13 + index;
    const [startTime, endTime] = [`${hour}:00`, `${hour}:50`] as const;
    const subject = random.between(1, 2);
    const currency: Currency = random.pick(CURRENCIES);
    const fee = random.chance(0.06) ? null : random.between(2000, 4600);
    const group = randomGroup(random, student);
    const saved = await createLesson(
      fixture.context,
      fixture.tutorId,
      {
        studentId: orThrow(fixture.students[student - 1]),
        subjectId: orThrow(fixture.subjects[subject - 1]),
        title: `lesson ${index + 1}`,
        date,
        startTime,
        endTime,
        fee: fee === null ? null : fee / 100,
        students: group.map(({ student: n, ownFee }) => ({
          studentId: orThrow(fixture.students[n - 1]),
          ...(ownFee === undefined ? {} : { fee: ownFee === null ? null : ownFee / 100 }),
        })),
        currency,
        isRecurring: isWeekly,
        recurringPattern: 'weekly',
        recurringEndDate: isWeekly ? plusDays(date, 28) : null,
        pastSessions: 'skip',
        acceptOverlaps: true,
      },
      null,
    );
    // The sessions of a new lesson have consecutive ids, ordered by date.
    for (let week = 0; week < (isWeekly ? 5 : 1); week++) {
      const common = { subject, currency, start: startTime };
      const session: ModelSession = {
        n: state.sessions.length + 1,
        ...common,
        seats: group.map(({ student: n, ownFee }) => ({
          student: n,
          fee: ownFee === undefined ? fee : ownFee,
          cancelled: false,
          charged: false,
        })),
        date: plusDays(date, 7 * week),
        status: 'scheduled',
      };
      state.sessions.push(session);
      fixture.lessons.push(saved.lessonId);
      fixture.sessions.push(orThrow(saved.sessionId ?? undefined) + week);
    }
  }
}
