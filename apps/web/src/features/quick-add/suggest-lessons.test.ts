import { addDaysToDate } from '@lessonbook/contract/dates';
import { CURRENCIES } from '@lessonbook/contract/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addMinutesToTime, formatAmountInput } from '../../lib/parse-input.ts';
import { defaultTitle } from '../lessons/shared/lesson-form.ts';
import { createQuickAddContext } from './parse-lesson.ts';
import type { QuickAddSubject } from './resolve-lesson.ts';
import { formatLesson, suggestLessons } from './suggest-lessons.ts';

const subject = (id: number, name: string, defaultFee = 35): QuickAddSubject => ({
  id,
  name,
  defaultFee,
  currency: 'GBP',
});

const students = [
  { id: 1, name: 'Maya Okafor' },
  { id: 2, name: 'Leo Hale' },
  { id: 3, name: 'Zoë Brontë' },
  { id: 4, name: 'Sam Okafor' },
  { id: 5, name: 'April May' },
];
const subjects = [
  subject(1, 'Maths'),
  subject(2, 'Physics A-level', 42),
  subject(3, 'English'),
  subject(4, '11+ prep'),
  subject(5, 'Maths GCSE', 38),
];

/* A Sunday at 15:00. */
const TODAY = '2026-11-15';
const context = createQuickAddContext(students, subjects, TODAY, '15:00');

const suggest = (sentence: string) => suggestLessons(sentence, context);
const labels = (sentence: string) => suggest(sentence).map(({ label }) => label);
const notes = (sentence: string) => suggest(sentence)[0]?.notes.join(' ');

describe('suggested lessons', () => {
  test.each([
    ['Maya maths Tue 4pm weekly', 'Maya Okafor, Maths, Tue 17 Nov 16:00–17:00, every week, £35'],
    [
      'leo physics tomorrow 16:30 45min £35',
      'Leo Hale, Physics A-level, Mon 16 Nov 16:30–17:15, £35',
    ],
    [
      'Maya English 3 Dec 5-6pm every two weeks',
      'Maya Okafor, English, Thu 3 Dec 17:00–18:00, every two weeks, £35',
    ],
    [
      'zoe eng 3/12 at half past four fortnightly until 20 Jan',
      'Zoë Brontë, English, Thu 3 Dec 16:30–17:30, every two weeks until Wed 20 Jan 2027, £35',
    ],
    ['11+ leo in 3 days 10am 1h30 free', 'Leo Hale, 11+ prep, Wed 18 Nov 10:00–11:30, free lesson'],
    [
      'Maya, Maths, every other thursday from 16:00 until 17:15, 40 pounds',
      'Maya Okafor, Maths, Thu 19 Nov 16:00–17:15, every two weeks, £40',
    ],
    ['Leo maths monthly 31/12 noon', 'Leo Hale, Maths, Thu 31 Dec 12:00–13:00, every month, £35'],
    ['april eng 3 april 9am', 'April May, English, Sat 3 Apr 2027 09:00–10:00, £35'],
    ['maya maths tue 17 nov 4pm', 'Maya Okafor, Maths, Tue 17 Nov 16:00–17:00, £35'],
    ['maya maths 2027-02-28 4pm €50', 'Maya Okafor, Maths, Sun 28 Feb 2027 16:00–17:00, €50'],
  ])('parses "%s"', (sentence, expected) => {
    expect(labels(sentence)).toEqual([expected]);
  });

  test.each([
    ['4pm', '16:00–17:00'],
    ['4.30pm', '16:30–17:30'],
    ['4:30 p.m.', '16:30–17:30'],
    ['16:00', '16:00–17:00'],
    ['04:30', '04:30–05:30'],
    ['at four', '16:00–17:00'],
    ["nine o'clock", '09:00–10:00'],
    ['quarter to five', '16:45–17:45'],
    ['quarter to one', '12:45–13:45'],
    ['half four', '16:30–17:30'],
    ['ten past 8 am', '08:10–09:10'],
    ['4-5pm', '16:00–17:00'],
    ['11-1pm', '11:00–13:00'],
    ['11am-1', '11:00–13:00'],
    ['4pm – 5', '16:00–17:00'],
    ['7-8', '19:00–20:00'],
    ['11-12', '11:00–12:00'],
    ['11:30-12:30', '11:30–12:30'],
    ['8 to 9', '08:00–09:00'],
    ['9-10.30am', '09:00–10:30'],
    ['23:00-24:00', '23:00–24:00'],
    ['4pm for an hour and a half', '16:00–17:30'],
    ['4pm half an hour', '16:00–16:30'],
    ['4pm 1.5 hours', '16:00–17:30'],
    ['4pm 90m', '16:00–17:30'],
    ['4pm 2h', '16:00–18:00'],
    ['4pm 20 minutes', '16:00–16:20'],
  ])('parses the time "%s"', (time, expected) => {
    expect(labels(`Leo English Tue ${time}`)).toEqual([
      `Leo Hale, English, Tue 17 Nov ${expected}, £35`,
    ]);
  });

  test.each([
    ['sun 4pm', 'Sun 15 Nov'],
    // 14:00 has passed today.
    ['sun 2pm', 'Sun 22 Nov'],
    ['sat 4pm', 'Sat 21 Nov'],
    ['next tue 4pm', 'Tue 17 Nov'],
    ['next sunday 4pm', 'Sun 22 Nov'],
    ['in two weeks 4pm', 'Sun 29 Nov'],
    ['1st of march 4pm', 'Mon 1 Mar 2027'],
    ['mar 1 4pm', 'Mon 1 Mar 2027'],
    ['14 nov 4pm', 'Sat 14 Nov'],
    ['14 oct 4pm', 'Thu 14 Oct 2027'],
    ['29/2 4pm', 'Tue 29 Feb 2028'],
    ['3/12/27 4pm', 'Fri 3 Dec 2027'],
  ])('parses the day "%s"', (day, expected) => {
    expect(labels(`Leo English ${day}`)[0]).toContain(`, ${expected} `);
  });

  test('treats several students as one group, with the default fee as the price per place', () => {
    const [group, ...others] = suggest('Maya, Leo and Zoë maths Tue 4pm weekly');
    expect(others).toEqual([]);
    expect(group?.label).toBe(
      'Maya Okafor, Leo Hale and Zoë Brontë, Maths, Tue 17 Nov 16:00–17:00, every week, £35',
    );
    expect(group?.defaults.values).toMatchObject({
      studentId: '1',
      otherStudentIds: ['2', '3'],
      title: 'Maths group',
      fee: '35',
    });
    expect(labels(group?.label ?? '')).toEqual([group?.label]);
  });

  test('does not read a subject or a day after a comma as another student', () => {
    expect(suggest('Leo, English, 3 April 9am')[0]?.defaults.values).not.toHaveProperty(
      'otherStudentIds',
    );
    expect(labels('Leo, May 3, English 9am')[0]).toContain('Mon 3 May 2027');
  });

  test('notes that a second name is ambiguous', () => {
    expect(notes('Leo and Okafor maths tue 4pm')).toContain(
      "We've used Maya Okafor, not Sam Okafor.",
    );
  });

  test('prefills the dialog with the parsed values and the defaults that follow from them', () => {
    expect(suggest('maya gcse tue 5pm until 18 dec')[0]?.defaults.values).toEqual({
      studentId: '1',
      subjectId: '5',
      title: 'Maya Okafor - Maths GCSE',
      autoFilledTitle: 'Maya Okafor - Maths GCSE',
      fee: '38',
      currency: 'GBP',
      date: '2026-11-17',
      startTime: '17:00',
      endTime: '18:00',
      isRecurring: true,
      recurringPattern: 'weekly',
      recurringEndDate: '2026-12-18',
    });
  });

  test('suggests both students or subjects when the words are ambiguous', () => {
    expect(labels('okafor eng tue 4pm')).toEqual([
      'Maya Okafor, English, Tue 17 Nov 16:00–17:00, £35',
      'Sam Okafor, English, Tue 17 Nov 16:00–17:00, £35',
    ]);
    expect(labels('leo mat tue 4pm')).toEqual([
      'Leo Hale, Maths, Tue 17 Nov 16:00–17:00, £35',
      'Leo Hale, Maths GCSE, Tue 17 Nov 16:00–17:00, £38',
    ]);
    // A full name is not ambiguous.
    expect(labels('leo maths tue 4pm')).toHaveLength(1);
  });

  test('chooses the name spelled as typed over one that differs only in accents', () => {
    const names = [
      { id: 1, name: 'Zoë Hale' },
      { id: 2, name: 'Zoe Hale' },
    ];
    const sameWithoutAccents = createQuickAddContext(names, subjects, TODAY, '15:00');
    const studentIds = (sentence: string) =>
      suggestLessons(sentence, sameWithoutAccents).map(
        ({ defaults }) => defaults.values?.studentId,
      );
    expect(studentIds('Zoë Hale english tue 4pm')).toEqual(['1']);
    expect(studentIds('Zoe Hale english tue 4pm')).toEqual(['2']);
    expect(studentIds('zoe hale english tue 4pm')).toEqual(['1', '2']);
  });

  test('notes that an hour without am or pm is assumed to be in the afternoon', () => {
    expect(notes('maya maths tue 4')).toBe("We've read 4 as 16:00.");
    expect(notes('maya maths tue 4-5')).toBe("We've read 4 as 16:00.");
    for (const unambiguousTime of ['4pm', '16:00', '4-5pm', '9', '04:00'])
      expect(notes(`maya maths tue ${unambiguousTime}`)).toBe('');
  });

  test('uses the default start time of the dialog when no time is given', () => {
    expect(labels('maya maths tue')).toEqual(['Maya Okafor, Maths, Tue 17 Nov 09:00–10:00, £35']);
    expect(notes('maya maths tue')).toBe("You didn't give a time, so we've used 09:00.");
    expect(labels('maya maths tue 30min')[0]).toContain('09:00–09:30');
  });

  test('suggests a lesson for each of two weekdays', () => {
    for (const sentence of ['Zoe tue+thu?', 'zoe tue and thu', 'zoe tue/thu']) {
      expect(labels(sentence)).toEqual([
        'Zoë Brontë, Tue 17 Nov 09:00–10:00',
        'Zoë Brontë, Thu 19 Nov 09:00–10:00',
      ]);
      expect(notes(sentence)).toContain('Each day is a separate lesson');
    }
  });

  test('notes unrecognised words', () => {
    expect(notes('maya maths tue 4pm foo')).toBe("We didn't understand “foo”.");
    expect(notes('Bob maths tue 4pm grümpf')).toBe(
      "Bob is not one of your students yet: you can add them in the form. We didn't understand “grümpf”.",
    );
    expect(notes('maya maths tue 5pm-4pm')).toContain('“5pm-4pm”');
    expect(notes('maya maths 11pm tue 90min')).toContain('“90 min”');
    expect(notes('maya maths wed 17 nov 4pm')).toContain('17 Nov is a Tuesday.');
    expect(notes('maya maths tue 4pm £0')).toContain('“£0”');
  });

  test('suggests nothing for text that does not describe a lesson', () => {
    for (const search of [
      '',
      'maya',
      'maths',
      'settings',
      'time off',
      'weekly',
      'leo maths',
      '4pm',
    ])
      expect(suggest(search)).toEqual([]);
  });
});

/* Realistic names, including words that also have a meaning in a sentence. */
const name = fc
  .array(
    fc.oneof(
      fc.stringMatching(/^[A-ZÀÉËÖŞŁ][a-zéèüñøß'’-]{1,9}$/),
      fc.constantFrom('May', 'April', 'Sun', 'Free', 'Weekly', 'Noon', 'At', 'Half', 'Every'),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join(' '));

const lesson = fc.record({
  student: name,
  subject: fc.oneof(name, fc.constantFrom('11+ prep', 'Year 5', 'GCSE maths, higher')),
  others: fc.array(name, { maxLength: 4 }),
  day: fc.nat(800),
  start: fc.nat(23 * 60),
  minutes: fc.integer({ min: 1, max: 59 }),
  fee: fc.option(fc.integer({ min: 100, max: 10_000_000 })),
  currency: fc.constantFrom(...CURRENCIES),
  // The patterns that quick add understands.
  pattern: fc.option(fc.constantFrom('weekly', 'biweekly', 'monthly')),
  until: fc.option(fc.nat(400)),
});

test('parses a formatted lesson back to the same lesson', () => {
  fc.assert(
    fc.property(
      lesson,
      ({ student, subject: subjectName, others, day, start, minutes, ...more }) => {
        const date = addDaysToDate(TODAY, day);
        const startTime = addMinutesToTime('00:00', start);
        const namedStudent = { id: 1, name: student };
        const namedSubject = subject(1, subjectName);
        const values = {
          studentId: '1',
          subjectId: '1',
          title: defaultTitle(student, subjectName),
          autoFilledTitle: defaultTitle(student, subjectName),
          date,
          startTime,
          endTime: addMinutesToTime(startTime, minutes),
          fee: formatAmountInput(more.fee === null ? null : more.fee / 100),
          isFeeTyped: true,
          currency: more.fee === null ? 'GBP' : more.currency,
          ...(more.pattern && {
            isRecurring: true,
            recurringPattern: more.pattern,
            ...(more.until !== null && { recurringEndDate: addDaysToDate(date, more.until) }),
          }),
        };
        const form = { ...blank, ...values };
        const label = formatLesson(form, { student: namedStudent, subject: namedSubject }, TODAY);
        const otherStudents = others
          .filter((other) => other !== student)
          .map((other, index) => ({ id: index + 2, name: other }));
        const [parsed] = suggestLessons(
          label,
          createQuickAddContext([...otherStudents, namedStudent], [namedSubject], TODAY, '15:00'),
        );
        expect(parsed, label).toEqual({ label, notes: [], defaults: { values } });
      },
    ),
    { numRuns: 500 },
  );
});

const blank = {
  studentId: '',
  otherStudentIds: [],
  ownFees: {},
  minStudents: '',
  maxStudents: '',
  subjectId: '',
  title: '',
  date: TODAY,
  startTime: '09:00',
  endTime: '10:00',
  fee: '',
  currency: 'GBP',
  place: '',
  usesGoogleMeet: false,
  isRecurring: false,
  recurringPattern: 'weekly' as const,
  recurringEndDate: '',
  termCalendarId: '',
  pastSessions: 'skip' as const,
  notes: '',
  autoFilledTitle: '',
  newStudentName: '',
  travelFee: '',
  isTravelFeeTyped: false,
  isFeeTyped: false,
  lessonMinutes: 60,
};

test.each([
  '__proto__',
  'constructor',
  'toString',
  '40constructor',
  '40 __proto__',
  'constructor past 4',
])('does not treat the object property in "maya %s" as a known word', (text) => {
  for (const { label } of suggestLessons(`maya ${text}`, context)) {
    expect(label).not.toMatch(/NaN|undefined|null|function|object/);
  }
});

test('handles arbitrary text without producing invalid values', () => {
  const grammar = fc.constantFrom(
    ...'maya leo maths tue thu 4 4pm 16:00 half past to until every two weeks in 3 days 31/2 £35 free , - 1h 45 min at next of dec'.split(
      ' ',
    ),
  );
  const sentence = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.oneof(grammar, fc.string()), { maxLength: 12 }).map((all) => all.join(' ')),
  );
  fc.assert(
    fc.property(sentence, (text) => {
      for (const { defaults, label } of suggestLessons(text, context)) {
        const { startTime = '', endTime } = defaults.values ?? {};
        expect(endTime && endTime > startTime).toBe(true);
        expect(label).not.toMatch(/NaN|undefined|null/);
      }
    }),
    { numRuns: 2_000 },
  );
});
