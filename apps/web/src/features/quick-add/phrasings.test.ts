import { expect, test } from 'vitest';
import { createQuickAddContext } from './parse-lesson.ts';
import { parseLessonActionsOrNewStudent } from './parse-lesson-action-or-new-student.ts';
import type { QuickAddSubject } from './resolve-lesson.ts';
import { suggestLessons } from './suggest-lessons.ts';

const subject = (id: number, name: string, defaultFee = 35): QuickAddSubject => ({
  id,
  name,
  defaultFee,
  currency: 'GBP',
});

const students = [
  { id: 1, name: 'Maya Okafor', subjectIds: [5] },
  { id: 2, name: 'Leo Hale', subject: 'Physics A-level' },
  { id: 3, name: 'Zoë Brontë', subject: 'Piano' },
  { id: 4, name: 'Sam Okafor', subject: 'Maths, English' },
  { id: 5, name: 'Oliver Reed', subject: 'English' },
  { id: 6, name: 'Thomas Gray' },
];
const subjects = [
  subject(1, 'Maths'),
  subject(2, 'Physics A-level', 42),
  subject(3, 'English'),
  subject(4, '11+ prep', 40),
  subject(5, 'Maths GCSE', 38),
];

/* A Sunday at 15:00. */
const context = createQuickAddContext(students, subjects, '2026-11-15', '15:00');

/* The suggestions, each followed by its notes. */
const LESSONS: [string, string[]][] = [
  [
    'Maya Tuesday 4pm 45 min £28 weekly',
    ['Maya Okafor, Maths GCSE, Tue 17 Nov 16:00–16:45, every week, £28'],
  ],
  ['maya tue 4pm', ['Maya Okafor, Maths GCSE, Tue 17 Nov 16:00–17:00, £38']],
  ['maya maths tue 4pm', ['Maya Okafor, Maths GCSE, Tue 17 Nov 16:00–17:00, £38']],
  ['leo tue 4pm', ['Leo Hale, Physics A-level, Tue 17 Nov 16:00–17:00, £42']],
  ['leo maths tue 4pm', ['Leo Hale, Maths, Tue 17 Nov 16:00–17:00, £35']],
  [
    'zoe piano thu 5pm',
    [
      'Zoë Brontë, Thu 19 Nov 17:00–18:00 | Piano is not one of your subjects yet: you can add it in the form.',
    ],
  ],
  [
    'zoe thu 5pm',
    [
      'Zoë Brontë, Thu 19 Nov 17:00–18:00 | Piano is not one of your subjects yet: you can add it in the form.',
    ],
  ],
  [
    'sam tue 4pm',
    [
      'Sam Okafor, Maths, Tue 17 Nov 16:00–17:00, £35',
      'Sam Okafor, English, Tue 17 Nov 16:00–17:00, £35',
    ],
  ],
  ['sam eng tue 4pm', ['Sam Okafor, English, Tue 17 Nov 16:00–17:00, £35']],
  ['thomas english fri 16:30', ['Thomas Gray, English, Fri 20 Nov 16:30–17:30, £35']],
  ['oliver Thursdays 4pm', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, every week, £35']],
  [
    'oliver thursdays 4-5pm until July',
    [
      "Oliver Reed, English, Thu 19 Nov 16:00–17:00, every week until Sat 31 Jul 2027, £35 | We've set the last day to Sat 31 Jul 2027.",
    ],
  ],
  [
    'oliver thursdays 4-5pm until the end of June 2027',
    [
      "Oliver Reed, English, Thu 19 Nov 16:00–17:00, every week until Wed 30 Jun 2027, £35 | We've set the last day to Wed 30 Jun 2027.",
    ],
  ],
  [
    'oliver every thursday at 4',
    ["Oliver Reed, English, Thu 19 Nov 16:00–17:00, every week, £35 | We've read 4 as 16:00."],
  ],
  ['oliver each thu 4pm', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, every week, £35']],
  [
    'oliver thu weekly 1700-1800',
    ['Oliver Reed, English, Thu 19 Nov 17:00–18:00, every week, £35'],
  ],
  ['oliver thu 1700', ['Oliver Reed, English, Thu 19 Nov 17:00–18:00, £35']],
  ['oliver thu 930', ['Oliver Reed, English, Thu 19 Nov 09:30–10:30, £35']],
  ['oliver thu 0930-1015', ['Oliver Reed, English, Thu 19 Nov 09:30–10:15, £35']],
  ['oliver tmrw 5pm', ['Oliver Reed, English, Mon 16 Nov 17:00–18:00, £35']],
  ['oliver tmw 5pm', ['Oliver Reed, English, Mon 16 Nov 17:00–18:00, £35']],
  ['oliver tomo 5pm', ['Oliver Reed, English, Mon 16 Nov 17:00–18:00, £35']],
  ['oliver tomorrow evening 6pm', ['Oliver Reed, English, Mon 16 Nov 18:00–19:00, £35']],
  ['oliver day after tomorrow 5pm', ['Oliver Reed, English, Tue 17 Nov 17:00–18:00, £35']],
  [
    'oliver sat 7 nov 10am',
    ['Oliver Reed, English, Sat 7 Nov 10:00–11:00, £35 | Sat 7 Nov has passed.'],
  ],
  [
    'oliver sat 14 nov 10am',
    ['Oliver Reed, English, Sat 14 Nov 10:00–11:00, £35 | Sat 14 Nov has passed.'],
  ],
  [
    'oliver wed 17 nov 4pm',
    [
      'Oliver Reed, English, Tue 17 Nov 16:00–17:00, £35 | 17 Nov is a Tuesday. Which day do you mean?',
      'Oliver Reed, English, Wed 18 Nov 16:00–17:00, £35 | 17 Nov is a Tuesday. Which day do you mean?',
    ],
  ],
  [
    'oliver 7 nov 10am',
    [
      'Oliver Reed, English, Sat 7 Nov 10:00–11:00, £35 | Sat 7 Nov has passed.',
      'Oliver Reed, English, Sun 7 Nov 2027 10:00–11:00, £35 | Sat 7 Nov has passed.',
    ],
  ],
  [
    'oliver 14 nov 4pm',
    [
      'Oliver Reed, English, Sat 14 Nov 16:00–17:00, £35 | Sat 14 Nov has passed.',
      'Oliver Reed, English, Sun 14 Nov 2027 16:00–17:00, £35 | Sat 14 Nov has passed.',
    ],
  ],
  ['oliver first saturday 10am', ['Oliver Reed, English, Sat 5 Dec 10:00–11:00, £35']],
  ['oliver first saturday of december 10am', ['Oliver Reed, English, Sat 5 Dec 10:00–11:00, £35']],
  ['oliver 2nd sat in jan 10am', ['Oliver Reed, English, Sat 9 Jan 2027 10:00–11:00, £35']],
  ['oliver last friday of november 4pm', ['Oliver Reed, English, Fri 27 Nov 16:00–17:00, £35']],
  [
    'oliver tuesday and thursday 4pm',
    [
      'Oliver Reed, English, Tue 17 Nov 16:00–17:00, £35 | Each day is a separate lesson. Add one, then the next.',
      'Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35 | Each day is a separate lesson. Add one, then the next.',
    ],
  ],
  [
    'oliver tue & thu 4pm weekly',
    [
      'Oliver Reed, English, Tue 17 Nov 16:00–17:00, every week, £35 | Each day is a separate lesson. Add one, then the next.',
      'Oliver Reed, English, Thu 19 Nov 16:00–17:00, every week, £35 | Each day is a separate lesson. Add one, then the next.',
    ],
  ],
  [
    'oliver tue/thu 4pm',
    [
      'Oliver Reed, English, Tue 17 Nov 16:00–17:00, £35 | Each day is a separate lesson. Add one, then the next.',
      'Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35 | Each day is a separate lesson. Add one, then the next.',
    ],
  ],
  [
    'oliver mon wed fri 4pm',
    [
      'Oliver Reed, English, Mon 16 Nov 16:00–17:00, £35 | Each day is a separate lesson. Add one, then the next.',
      'Oliver Reed, English, Wed 18 Nov 16:00–17:00, £35 | Each day is a separate lesson. Add one, then the next.',
      'Oliver Reed, English, Fri 20 Nov 16:00–17:00, £35 | Each day is a separate lesson. Add one, then the next.',
    ],
  ],
  [
    'oliver tuesdays and thursdays 4pm',
    [
      'Oliver Reed, English, Tue 17 Nov 16:00–17:00, every week, £35 | Each day is a separate lesson. Add one, then the next.',
      'Oliver Reed, English, Thu 19 Nov 16:00–17:00, every week, £35 | Each day is a separate lesson. Add one, then the next.',
    ],
  ],
  [
    'oliver and thomas tue 4pm',
    ['Oliver Reed and Thomas Gray, English, Tue 17 Nov 16:00–17:00, £35'],
  ],
  [
    'Oliver and Thomas english tue 4pm',
    ['Oliver Reed and Thomas Gray, English, Tue 17 Nov 16:00–17:00, £35'],
  ],
  [
    'Oliver, Thomas english tue 4pm weekly',
    ['Oliver Reed and Thomas Gray, English, Tue 17 Nov 16:00–17:00, every week, £35'],
  ],
  ['oliver online tue 4pm', ['Oliver Reed, English, Tue 17 Nov 16:00–17:00, £35, Online']],
  ['oliver tue 4pm on zoom', ['Oliver Reed, English, Tue 17 Nov 16:00–17:00, £35, Zoom']],
  ['oliver tue 4pm via teams', ['Oliver Reed, English, Tue 17 Nov 16:00–17:00, £35, Teams']],
  ['oliver tue 4pm at home', ['Oliver Reed, English, Tue 17 Nov 16:00–17:00, £35, At home']],
  [
    'oliver tue 4pm at the library',
    ['Oliver Reed, English, Tue 17 Nov 16:00–17:00, £35, At the library'],
  ],
  [
    "oliver tue 4pm at Oliver's",
    ["Oliver Reed, English, Tue 17 Nov 16:00–17:00, £35, At Oliver's"],
  ],
  ['oliver next tuesday 4pm', ['Oliver Reed, English, Tue 17 Nov 16:00–17:00, £35']],
  ['oliver tuesday next week 4pm', ['Oliver Reed, English, Tue 17 Nov 16:00–17:00, £35']],
  ['oliver next week tuesday 4pm', ['Oliver Reed, English, Tue 17 Nov 16:00–17:00, £35']],
  ['oliver tuesday week 4pm', ['Oliver Reed, English, Tue 24 Nov 16:00–17:00, £35']],
  ['oliver a week on tuesday 4pm', ['Oliver Reed, English, Tue 24 Nov 16:00–17:00, £35']],
  [
    'oliver every thu from 19 nov 4pm',
    ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, every week, £35'],
  ],
  [
    'oliver thu 4pm for 6 weeks',
    ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, every week until Thu 24 Dec, £35'],
  ],
  [
    'oliver thu 4pm fortnightly for 4 lessons',
    ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, every two weeks until Thu 31 Dec, £35'],
  ],
  ['oliver thu 4pm til 5', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35']],
  ['oliver thu 4pm till 5.30pm', ['Oliver Reed, English, Thu 19 Nov 16:00–17:30, £35']],
  ['oliver from 4pm to 5pm thu', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35']],
  [
    'oliver thu 4 to 5',
    ["Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35 | We've read 4 as 16:00."],
  ],
  ['oliver 19/11 4pm', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35']],
  ['oliver 19.11.26 4pm', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35']],
  ['oliver 19th 4pm', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35']],
  ['oliver the 19th of november 4pm', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35']],
  ['oliver nov 19th at 4pm', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35']],
  ['oliver thu @4pm', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35']],
  ['oliver thu 4pm £30', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, £30']],
  ['oliver thu 4pm 30 quid', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, £30']],
  [
    'oliver thu 4pm £30/hr',
    ["Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35 | We didn't understand “£30/hr”."],
  ],
  ['oliver thu 4pm free', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, free lesson']],
  ['oliver thu 4pm 1hr', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35']],
  ['oliver thu 4pm 1 hr 30', ['Oliver Reed, English, Thu 19 Nov 16:00–17:30, £35']],
  ['oliver thu 4pm 1h 30m', ['Oliver Reed, English, Thu 19 Nov 16:00–17:30, £35']],
  ['oliver thu 4pm 90 mins', ['Oliver Reed, English, Thu 19 Nov 16:00–17:30, £35']],
  ['oliver thu 4pm for an hour', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35']],
  ['oliver thu 4pm for 45 minutes', ['Oliver Reed, English, Thu 19 Nov 16:00–16:45, £35']],
  ['oliver thu 4pm half hour', ['Oliver Reed, English, Thu 19 Nov 16:00–16:30, £35']],
  ['oliver noon sat', ['Oliver Reed, English, Sat 21 Nov 12:00–13:00, £35']],
  ['oliver midday sat 1 hour', ['Oliver Reed, English, Sat 21 Nov 12:00–13:00, £35']],
  ['oliver today 6pm', ['Oliver Reed, English, Sun 15 Nov 18:00–19:00, £35']],
  [
    'oliver tonight 7',
    ["Oliver Reed, English, Sun 15 Nov 19:00–20:00, £35 | We've read 7 as 19:00."],
  ],
  ['oliver this thursday 4pm', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35']],
  [
    'book oliver in for thursday at 4pm please',
    ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35'],
  ],
  [
    'can you add oliver thursday 4pm',
    ["Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35 | We didn't understand “can you”."],
  ],
  ['new lesson oliver thursday 4pm', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35']],
  ['lesson with oliver thursday 4pm', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35']],
  ['oliver 4pm thursday english', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35']],
  ['english thursday 4pm oliver', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35']],
  ['thursday 4pm oliver', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35']],
  ['4pm thu oliver eng', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35']],
  [
    'olly thu 4pm',
    [
      'Thu 19 Nov 16:00–17:00 | Olly is not one of your students yet: you can add them in the form. Still to choose: subject.',
    ],
  ],
  [
    'olivia thu 4pm',
    [
      'Thu 19 Nov 16:00–17:00 | Olivia is not one of your students yet: you can add them in the form. Still to choose: subject.',
    ],
  ],
  [
    'Olivia maths thu 4pm',
    [
      'Maths, Thu 19 Nov 16:00–17:00, £35 | Olivia is not one of your students yet: you can add them in the form.',
    ],
  ],
  [
    'olivia hale maths thu 4pm',
    [
      'Maths, Thu 19 Nov 16:00–17:00, £35 | Olivia Hale is not one of your students yet: you can add them in the form.',
    ],
  ],
  [
    'oliver biweekly thu 4pm',
    ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, every two weeks, £35'],
  ],
  [
    'oliver every two weeks thu 4pm',
    ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, every two weeks, £35'],
  ],
  [
    'oliver every 2 weeks thu 4pm',
    ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, every two weeks, £35'],
  ],
  [
    'oliver every other thursday 4pm',
    ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, every two weeks, £35'],
  ],
  ['oliver once a week thu 4pm', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, every week, £35']],
  [
    'oliver twice a week 4pm',
    [
      "Oliver Reed, English, Sun 15 Nov 16:00–17:00, £35 | You didn't give a day, so we've used today. We didn't understand “twice” and “week”.",
    ],
  ],
  ['oliver monthly 19 nov 4pm', ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, every month, £35']],
  [
    'oliver every month on the 19th 4pm',
    ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, every month, £35'],
  ],
  [
    'oliver daily 4pm',
    [
      "Oliver Reed, English, Sun 15 Nov 16:00–17:00, £35 | You didn't give a day, so we've used today. We didn't understand “daily”.",
    ],
  ],
  [
    'oliver weekdays 4pm',
    [
      "Oliver Reed, English, Sun 15 Nov 16:00–17:00, £35 | You didn't give a day, so we've used today. We didn't understand “weekdays”.",
    ],
  ],
  [
    'oliver thu 4pm until christmas',
    ["Oliver Reed, English, Thu 19 Nov 16:00–17:00, £35 | We didn't understand “until christmas”."],
  ],
  [
    'oliver thu 4pm until 18 dec',
    ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, every week until Fri 18 Dec, £35'],
  ],
  [
    'oliver thu 4pm until fri 18 dec',
    ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, every week until Fri 18 Dec, £35'],
  ],
  [
    'oliver thu 4pm until 18/12',
    ['Oliver Reed, English, Thu 19 Nov 16:00–17:00, every week until Fri 18 Dec, £35'],
  ],
  [
    'oliver weekly thu 4pm til end of term',
    [
      "Oliver Reed, English, Thu 19 Nov 16:00–17:00, every week, £35 | We didn't understand “til end” and “term”.",
    ],
  ],
  [
    'oliver quarter past 4 thu',
    ["Oliver Reed, English, Thu 19 Nov 16:15–17:15, £35 | We've read 4:15 as 16:15."],
  ],
  [
    'oliver half 4 thu',
    ["Oliver Reed, English, Thu 19 Nov 16:30–17:30, £35 | We've read 4:30 as 16:30."],
  ],
  ['oliver 4:15pm thu', ['Oliver Reed, English, Thu 19 Nov 16:15–17:15, £35']],
  [
    'oliver 4.15 thu',
    ["Oliver Reed, English, Thu 19 Nov 16:15–17:15, £35 | We've read 4:15 as 16:15."],
  ],
  ['oliver 16.15-17.00 thu', ['Oliver Reed, English, Thu 19 Nov 16:15–17:00, £35']],
  ['oliver 16:15 to 17:00 thu', ['Oliver Reed, English, Thu 19 Nov 16:15–17:00, £35']],
  [
    'oliver 4-4:45 thu',
    ["Oliver Reed, English, Thu 19 Nov 16:00–16:45, £35 | We've read 4 as 16:00."],
  ],
  ['oliver 11am-12.30 sat', ['Oliver Reed, English, Sat 21 Nov 11:00–12:30, £35']],
  ['oliver gcse thu 4pm', ['Oliver Reed, Maths GCSE, Thu 19 Nov 16:00–17:00, £38']],
  ['maya gcse tue 5pm', ['Maya Okafor, Maths GCSE, Tue 17 Nov 17:00–18:00, £38']],
  ['maya english tue 5pm', ['Maya Okafor, English, Tue 17 Nov 17:00–18:00, £35']],
  ['add maya thursday 4pm', ['Maya Okafor, Maths GCSE, Thu 19 Nov 16:00–17:00, £38']],
  ['add leo', []],
  ['new lesson', []],
  ['add lesson', []],
];

test.each(LESSONS)('F118 F142 suggests lessons for "%s"', (sentence, expected) => {
  expect(parseLessonActionsOrNewStudent(sentence, context)).toBeNull();
  const suggestions = suggestLessons(sentence, context).map(({ label, notes }) =>
    [label, notes.join(' ')].filter(Boolean).join(' | '),
  );
  expect(suggestions).toEqual(expected);
});

/* Sentences about an existing lesson or a new student, which must not suggest a new lesson. */
const REQUESTS: [string, string[]][] = [
  ['cancel maya tomorrow', ['cancel Maya Okafor 2026-11-16']],
  ["cancel Maya's lesson tomorrow", ['cancel Maya Okafor 2026-11-16']],
  ['move leo thursday to friday', ['move Leo Hale 2026-11-19']],
  ['reschedule sam next tuesday', ['move Sam Okafor 2026-11-17']],
  ['cancel okafor tomorrow', ['cancel Maya Okafor 2026-11-16', 'cancel Sam Okafor 2026-11-16']],
  ['move oliver', ['move Oliver Reed next']],
  ['complete zoe today', ['complete Zoë Brontë 2026-11-15']],
  ['cancel bob tomorrow', []],
  ['Add Olivia', ['add Olivia']],
  ['add olivia hale', ['add Olivia Hale']],
  ['new student Olivia Hale', ['add Olivia Hale']],
];

test.each(REQUESTS)('F118 F142 finds what "%s" is about', (sentence, expected) => {
  const requests = parseLessonActionsOrNewStudent(sentence, context)?.map((request) =>
    request.kind === 'student'
      ? `add ${request.name}`
      : `${request.action} ${request.student.name} ${request.date ?? 'next'}`,
  );
  expect(requests).toEqual(expected);
});

test('F118 F142 covers at least 100 phrasings', () => {
  expect(LESSONS.length + REQUESTS.length).toBeGreaterThanOrEqual(100);
});
