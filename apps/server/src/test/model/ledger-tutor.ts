import type { Currency } from '@lessonbook/contract/money';
import type { Context } from '../../context.ts';
import { insertTutor } from '../../domains/accounts/queries/tutors.ts';
import { updatePolicy } from '../../domains/lessons/service/cancel.ts';
import { createLesson } from '../../domains/lessons/service/create-lesson.ts';
import { addStudent } from '../../domains/students/service/students.ts';
import { addSubject } from '../../domains/subjects/service.ts';
import { randomToken, uuidV7 } from '../../platform/crypto.ts';
import { Events } from '../../platform/events.ts';
import { subscriptions } from '../../subscriptions.ts';
import { type House, TestClock } from '../house.ts';
import { type LedgerBook, type MSession, plusDays } from './ledger-book.ts';
import { emptyLedger, found, type Ledger } from './ledger-model.ts';
import { MONEY } from './ledger-steps.ts';
import type { Random } from './random.ts';

/** A tutor of one history, with a clock of its own, and under which ids the server knows what the model has. */
export interface LedgerTutor {
  context: Context;
  clock: TestClock;
  tutorId: string;
  students: number[];
  carers: number[];
  subjects: number[];
  sessions: number[];
  /** Of each session. */
  lessons: number[];
  families: Map<string, number>;
}

const LATER = new Date('2100-01-01T00:00:00Z');
export const NAMES = ['Maya', 'Noor', 'Ben', 'Ida'];
export const SUBJECTS = ['Maths', 'French'];
/** Two children of one carer, one of another, one who pays for herself. */
const CARERS = ['Ruth Okafor', 'Ruth Okafor', 'Sam Lindqvist', null];

let count = 0;

/** The services on the house's database, by a clock that no other history turns. */
function contextWithClock(house: House, clock: TestClock): Context {
  const events = new Events<Context>(subscriptions);
  const context: Context = {
    ...house.context,
    clock,
    events: { publish: (tx, event, payload) => events.publish(context, tx, event, payload) },
  };
  return context;
}

export async function openLedger(
  house: House,
  random: Random,
  order: Ledger['order'],
): Promise<{ tutor: LedgerTutor; book: LedgerBook }> {
  const clock = new TestClock();
  const context = contextWithClock(house, clock);
  const now = clock.now();
  const tutorId = uuidV7(now);
  count += 1;
  const name = `ledger${count}`;
  await context.db.withNewTutor(tutorId, (tx) =>
    insertTutor(tx, {
      tutorId,
      publicId: randomToken(),
      name: 'Ada Fenwick',
      timeZone: 'Europe/London',
      trialEndsAt: LATER,
      username: name,
      usernameKey: name,
      email: `${name}@example.com`,
      emailKey: `${name}@example.com`,
      passwordHash: 'nobody logs in with this',
      now,
    }),
  );
  const tutor: LedgerTutor = {
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
  const book: LedgerBook = {
    ledger: emptyLedger(order),
    sessions: [],
    payers: [],
    invoices: [],
    notes: [],
    policy: { noticeHours: 24, feePercent: random.pick([100, 100, 50, 33]) },
    now: '2026-11-16 12:00',
  };
  await updatePolicy(context, tutorId, book.policy);
  await fillPeople(tutor, book);
  await fillDiary(tutor, book, random);
  return { tutor, book };
}

async function fillPeople(tutor: LedgerTutor, book: LedgerBook): Promise<void> {
  const { context, tutorId } = tutor;
  for (const name of SUBJECTS) {
    const subject = { name, defaultFee: 30, currency: 'GBP' as const };
    tutor.subjects.push((await addSubject(context, tutorId, subject, null)).id);
  }
  for (const [index, name] of NAMES.entries()) {
    const carerName = CARERS[index] ?? null;
    const sibling = CARERS.indexOf(carerName) < index;
    const carer = sibling ? { carerId: tutor.carers.at(-1) ?? null } : { carerName };
    const student = await addStudent(context, tutorId, { name, ...carer }, null);
    if (student.carerId !== null && !sibling) tutor.carers.push(student.carerId);
    tutor.students.push(student.id);
    const payer = carerName ? `carer ${tutor.carers.length}` : `student ${index + 1}`;
    book.payers.push(payer);
    tutor.families.set(payer, found(student.familyId ?? undefined));
  }
}

/** A weekly lesson for each student and some single ones before today, each at an hour of its own. */
async function fillDiary(tutor: LedgerTutor, book: LedgerBook, random: Random): Promise<void> {
  const past = Array.from({ length: 3 }, () => random.between(1, 4));
  for (const [index, student] of [1, 2, 3, 4, ...past].entries()) {
    const weekly = index < 4;
    const date = plusDays('2026-11-16', weekly ? random.between(0, 6) : -random.between(1, 14));
    const hour = 13 + index;
    const [startTime, endTime] = [`${hour}:00`, `${hour}:50`] as const;
    const subject = random.between(1, 2);
    const currency: Currency = random.pick(MONEY);
    const fee = random.chance(0.06) ? null : random.between(2000, 4600);
    const saved = await createLesson(
      tutor.context,
      tutor.tutorId,
      {
        studentId: found(tutor.students[student - 1]),
        subjectId: found(tutor.subjects[subject - 1]),
        title: `lesson ${index + 1}`,
        date,
        startTime,
        endTime,
        fee: fee === null ? null : fee / 100,
        currency,
        isRecurring: weekly,
        recurringPattern: 'weekly',
        recurringEndDate: weekly ? plusDays(date, 28) : null,
        earlier: 'skip',
        acceptOverlaps: true,
      },
      null,
    );
    // The sessions of a new lesson have the ids that follow each other, by date.
    for (let week = 0; week < (weekly ? 5 : 1); week++) {
      const common = { student, subject, currency, fee, start: startTime };
      const session: MSession = {
        n: book.sessions.length + 1,
        ...common,
        date: plusDays(date, 7 * week),
        status: 'scheduled',
        charged: false,
      };
      book.sessions.push(session);
      tutor.lessons.push(saved.lessonId);
      tutor.sessions.push(found(saved.sessionId ?? undefined) + week);
    }
  }
}
