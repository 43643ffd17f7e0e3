import { mondayOf, plusDays } from '@lessonbook/contract/dates';
import { LessonInput } from '@lessonbook/contract/lessons';
import { CompleteManyInput } from '@lessonbook/contract/sessions';
import { addDays, dateIn } from '@lessonbook/contract/time';
import { readConfig } from './config.ts';
import type { Context } from './context.ts';
import { findDemoTutor, makeDemoTutor } from './domains/accounts/service/demo.ts';
import { readTimeZone } from './domains/accounts/service/profile.ts';
import { completeSessions } from './domains/lessons/service/complete.ts';
import { createLesson } from './domains/lessons/service/create-lesson.ts';
import { listDueSessions } from './domains/lessons/service/read.ts';
import { addStudent } from './domains/students/service/students.ts';
import { addSubject } from './domains/subjects/service.ts';
import { startContext } from './start.ts';

/** A tutor's ordinary weeks: what is taught, to whom, when. Days count from Monday. */
const SUBJECTS = [
  { name: 'Maths GCSE', description: 'Foundation and higher', defaultFee: 38 },
  { name: 'Physics A-level', description: null, defaultFee: 42 },
  { name: 'Piano', description: 'Grades 1 to 5', defaultFee: 28 },
  { name: 'French', description: null, defaultFee: 30 },
  { name: '11+ prep', description: 'Verbal and non-verbal reasoning', defaultFee: 32 },
];

const CARERS = {
  okafor: {
    carerName: 'Ngozi Okafor',
    carerRelationship: 'Mother',
    carerPhone: '07700 900123',
    carerEmail: 'ngozi@families.example',
  },
  mehta: {
    carerName: 'Anil Mehta',
    carerRelationship: 'Father',
    carerPhone: '07700 900456',
    carerEmail: 'anil@families.example',
  },
  brennan: {
    carerName: 'Siobhan Brennan',
    carerRelationship: 'Mother',
    carerEmail: 'siobhan@families.example',
  },
};

const STUDENTS = [
  { name: 'Maya Okafor', subject: 'Maths', ...CARERS.okafor },
  { name: 'Sam Okafor', subject: 'Piano', sharesCarerWith: 'Maya Okafor' },
  { name: 'Rohan Mehta', subject: '11+', ...CARERS.mehta },
  { name: 'Isla Brennan', subject: 'Piano', ...CARERS.brennan },
  { name: 'Theo Lindqvist', subject: 'Physics', email: 'theo@students.example' },
  { name: 'Amira Haddad', subject: 'French', email: 'amira@students.example' },
  { name: 'Chloe Dubois', subject: 'Maths' },
];

const WEEK = [
  { student: 'Maya Okafor', subject: 'Maths GCSE', day: 0, start: '16:00', end: '17:00' },
  { student: 'Theo Lindqvist', subject: 'Physics A-level', day: 0, start: '17:30', end: '18:30' },
  { student: 'Isla Brennan', subject: 'Piano', day: 1, start: '16:15', end: '17:00' },
  { student: 'Rohan Mehta', subject: '11+ prep', day: 2, start: '15:45', end: '16:45' },
  { student: 'Maya Okafor', subject: 'Maths GCSE', day: 2, start: '17:00', end: '18:00' },
  { student: 'Sam Okafor', subject: 'Piano', day: 2, start: '18:15', end: '19:00' },
  { student: 'Chloe Dubois', subject: 'Maths GCSE', day: 3, start: '16:30', end: '17:15' },
  { student: 'Amira Haddad', subject: 'French', day: 4, start: '16:00', end: '16:45' },
  { student: 'Rohan Mehta', subject: '11+ prep', day: 5, start: '09:30', end: '10:30' },
  { student: 'Isla Brennan', subject: 'Piano', day: 5, start: '11:00', end: '12:00' },
  { student: 'Theo Lindqvist', subject: 'Physics A-level', day: 5, start: '13:15', end: '14:15' },
];

const WEEKS_BEFORE = 3;
const LEFT_TO_TICK_OFF = 2;

/** Makes the demo tutor with a book of lively data around today, once: `npm run seed:demo`. */
const { context, close } = await startContext(readConfig(), 'api');
try {
  const found = await findDemoTutor(context);
  if (!found) await fillBook(context, await makeDemoTutor(context));
  process.stdout.write(
    found ? 'The demo tutor is there.\n' : 'The demo tutor was made: demo / demo1234\n',
  );
} finally {
  await close();
}

async function fillBook(present: Context, tutorId: string): Promise<void> {
  const then = addDays(present.clock.now(), -7 * WEEKS_BEFORE);
  // Written down three weeks ago, so that there is something to have taught since.
  const past: Context = { ...present, clock: { now: () => then } };
  const subjects = new Map<string, { id: number; fee: number }>();
  for (const subject of SUBJECTS) {
    const { id } = await addSubject(past, tutorId, { ...subject, currency: 'GBP' });
    subjects.set(subject.name, { id, fee: subject.defaultFee });
  }
  const students = new Map<string, { id: number; carerId: number | null }>();
  for (const { sharesCarerWith, ...student } of STUDENTS as ((typeof STUDENTS)[number] & {
    sharesCarerWith?: string;
  })[]) {
    const carerId = sharesCarerWith ? students.get(sharesCarerWith)?.carerId : undefined;
    const made = await addStudent(past, tutorId, { ...student, ...(carerId ? { carerId } : {}) });
    students.set(student.name, made);
  }
  const monday = mondayOf(dateIn(await readTimeZone(present, tutorId), then));
  for (const { student, subject, day, start, end } of WEEK) {
    const input = LessonInput.parse({
      studentId: students.get(student)?.id,
      subjectId: subjects.get(subject)?.id,
      title: `${student} - ${subject}`,
      date: plusDays(monday, day),
      startTime: start,
      endTime: end,
      fee: subjects.get(subject)?.fee,
      isRecurring: true,
      acceptOverlaps: true,
    });
    await createLesson(past, tutorId, input, null);
  }
  const due = await listDueSessions(present, tutorId);
  const taught = due.slice(0, Math.max(0, due.length - LEFT_TO_TICK_OFF)).map(({ id }) => ({ id }));
  await completeSessions(present, tutorId, CompleteManyInput.parse({ sessions: taught }));
}
