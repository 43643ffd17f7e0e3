import type { Family } from '@lessonbook/contract/families';
import type { Student } from '@lessonbook/contract/students';
import { systemNow } from '@lessonbook/contract/time';
import {
  IconCalendarPlus,
  IconChecklist,
  IconCoins,
  IconFilePlus,
  IconUmbrella,
  IconUser,
  IconUserPlus,
  IconUsersGroup,
} from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { firstName, formatList, money } from '../../lib/format.ts';
import { formatTimeAt } from '../../lib/format-timestamp.ts';
import { toastDone } from '../../lib/toast.ts';
import { useTutor } from '../accounts/auth.tsx';
import { dueSessionsQuery } from '../lessons/api.ts';
import type { LessonDefaults } from '../lessons/shared/lesson-form.ts';
import { familiesQuery } from '../payments/api.ts';
import { createQuickAddContext } from '../quick-add/parse-lesson.ts';
import { suggestLessons } from '../quick-add/suggest-lessons.ts';
import { studentsQuery } from '../students/api.ts';
import { subjectsQuery } from '../subjects/api.ts';
import { type MainPage, secondaryPages } from './page-commands.ts';
import type { Command } from './search-commands.ts';

/** A dialog above the page. */
export type DialogRequest =
  | { kind: 'lesson'; start: LessonDefaults }
  | { kind: 'student'; student: Student | null }
  | { kind: 'payment'; familyId: number }
  | { kind: 'invoice' }
  | { kind: 'time-off' };

interface CommandActions {
  open: (act: DialogRequest) => void;
  /** A payment needs to know whose it is. */
  askForPayer: () => void;
}

const mainPageAliases: Record<string, string> = {
  Home: 'dashboard today',
  Schedule: 'calendar month week timetable',
  Reports: 'earnings income tax money',
  Notifications: 'inbox news bell',
  Settings: 'calendar integration theme dark logout cancellation policy',
};

/** All that can be found, and what typed words may mean as a lesson. */
export function useCommands(main: readonly MainPage[], actions: CommandActions) {
  const { open } = actions;
  const { today, timeZone } = useTutor();
  const students = useQuery(studentsQuery);
  const subjects = useQuery(subjectsQuery);
  const families = useQuery(familiesQuery);
  const openCompleteLessons = useOpenCompleteLessons();
  const navigate = useNavigate();

  const quickAddContext = useMemo(
    () =>
      createQuickAddContext(
        students.data ?? [],
        subjects.data ?? [],
        today,
        formatTimeAt(systemNow().toISOString(), { timeZone, today }),
      ),
    [students.data, subjects.data, today, timeZone],
  );

  const suggest = (typed: string): Command[] =>
    suggestLessons(typed, quickAddContext).map(({ words, notes, start }, index) => ({
      id: `lesson-${index}`,
      section: 'Lesson',
      label: words,
      hint: ['Opens as a new lesson, nothing is saved yet.', ...notes].join(' '),
      Icon: IconCalendarPlus,
      leads: 'dialog',
      run: () => open({ kind: 'lesson', start }),
    }));

  return {
    commands: [
      ...actionCommands(actions, openCompleteLessons),
      ...main.map(({ label, Icon, to }) =>
        pageCommand(
          { label, Icon, alias: mainPageAliases[label] ?? '' },
          () => void navigate({ to }),
        ),
      ),
      ...secondaryPages.map(({ link, ...place }) => pageCommand(place, () => void navigate(link))),
      ...(students.data ?? []).map((student) => studentCommand(student, open)),
      ...(families.data ?? []).map((family) =>
        familyCommand(family, {
          leads: 'page',
          run: () => void navigate({ to: '/families/$id', params: { id: String(family.id) } }),
        }),
      ),
    ],
    payers: owingFirst(families.data ?? []).map((family) =>
      familyCommand(family, {
        leads: 'dialog',
        run: () => open({ kind: 'payment', familyId: family.id }),
      }),
    ),
    suggest,
    problem:
      students.isError || subjects.isError || families.isError
        ? 'Your students and families could not be loaded, so they are not found here.'
        : undefined,
  };
}

function actionCommands(
  { open, askForPayer }: CommandActions,
  openCompleteLessons: () => void,
): Command[] {
  const doing = { section: 'Do', leads: 'dialog' } as const;
  return [
    {
      ...doing,
      id: 'new-lesson',
      label: 'New lesson',
      hint: 'Put a lesson in the book',
      alias: 'add create session',
      Icon: IconCalendarPlus,
      run: () => open({ kind: 'lesson', start: {} }),
    },
    {
      ...doing,
      id: 'record-payment',
      label: 'Record payment',
      alias: 'paid received money cash transfer add',
      Icon: IconCoins,
      leads: 'question',
      run: askForPayer,
    },
    {
      ...doing,
      id: 'new-student',
      label: 'New student',
      alias: 'add create pupil',
      Icon: IconUserPlus,
      run: () => open({ kind: 'student', student: null }),
    },
    {
      ...doing,
      id: 'new-invoice',
      label: 'New invoice',
      alias: 'add create bill',
      Icon: IconFilePlus,
      run: () => open({ kind: 'invoice' }),
    },
    {
      ...doing,
      id: 'time-off',
      label: 'Time off',
      hint: 'Days without lessons',
      alias: 'holiday cancel my day half term ill',
      Icon: IconUmbrella,
      run: () => open({ kind: 'time-off' }),
    },
    {
      ...doing,
      id: 'catch-up',
      label: 'Catch up',
      hint: 'Tick off what was taught',
      alias: 'complete mark attendance incomplete',
      Icon: IconChecklist,
      leads: 'page',
      run: openCompleteLessons,
    },
  ];
}

const pageCommand = (
  place: Pick<Command, 'label' | 'hint' | 'Icon'> & { alias: string },
  run: () => void,
): Command => ({ ...place, id: `page-${place.label}`, section: 'Go to', leads: 'page', run });

const studentCommand = (student: Student, open: CommandActions['open']): Command => ({
  id: `student-${student.id}`,
  section: 'Students',
  label: student.name,
  hint: [student.subject, student.carerName && `Carer: ${student.carerName}`]
    .filter(Boolean)
    .join(', '),
  alias: student.carerName ?? '',
  Icon: IconUser,
  leads: 'dialog',
  run: () => open({ kind: 'student', student }),
});

const owes = ({ balances }: Family): boolean => balances.some(({ owed }) => owed > 0);

const owingFirst = (families: readonly Family[]): Family[] =>
  families.toSorted((one, other) => Number(owes(other)) - Number(owes(one)));

/** Two payers may have one name; their children and what they owe tell them apart. */
function familyCommand(family: Family, way: Pick<Command, 'leads' | 'run'>): Command {
  const { id, name, students, balances } = family;
  const others = students.filter((student) => student !== name);
  const owed = balances.filter((balance) => balance.owed > 0);
  return {
    id: `family-${id}`,
    section: 'Families',
    label: name,
    hint: [
      others.length > 0 && formatList(others.map(firstName)),
      owed.length > 0 && `owes ${formatList(owed.map((each) => money(each.owed, each.currency)))}`,
    ]
      .filter(Boolean)
      .join(', '),
    alias: students.join(' '),
    Icon: IconUsersGroup,
    ...way,
  };
}

/** The page begins with a lesson; with nothing to tick off there is none, and that is the answer. */
function useOpenCompleteLessons(): () => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const fetchDue = useMutation({
    mutationFn: () => client.fetchQuery({ ...dueSessionsQuery, staleTime: 0 }),
    meta: { errorFallback: 'The lessons to tick off could not be loaded. Please try again.' },
    onSuccess: async ([first]) => {
      if (!first) {
        toastDone('Nothing to tick off', 'Every lesson is dealt with.');
        return;
      }
      await navigate({
        to: '/lessons/$lessonId/complete',
        params: { lessonId: String(first.lessonId) },
        search: { session: first.id },
      });
    },
  });
  return () => fetchDue.mutate();
}
