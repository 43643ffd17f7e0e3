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
import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { firstName, formatAmount, formatList } from '../../lib/format.ts';
import { formatTimeAt } from '../../lib/format-timestamp.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { useTutor } from '../accounts/AuthProvider.tsx';
import { dueSessionsQuery } from '../lessons/api.ts';
import type { LessonDefaults } from '../lessons/shared/lesson-form.ts';
import { familiesQuery } from '../payments/api.ts';
import { createQuickAddContext } from '../quick-add/parse-lesson.ts';
import { suggestLessons } from '../quick-add/suggest-lessons.ts';
import { studentsQuery } from '../students/api.ts';
import { subjectsQuery } from '../subjects/api.ts';
import type { Command } from './search-commands.ts';

/** A dialog over the page. */
export type DialogRequest =
  | { kind: 'lesson'; defaults: LessonDefaults }
  | { kind: 'student'; student: Student | null }
  | { kind: 'payment'; familyId: number }
  | { kind: 'invoice' }
  | { kind: 'time-off' };

/** A page that the palette offers. */
export interface PageEntry extends Pick<Command, 'label' | 'hint' | 'Icon'> {
  /** Additional search terms. */
  keywords: string;
  link: NavigateOptions;
}

interface CommandActions {
  open: (request: DialogRequest) => void;
  /** Shows the payers as the next step. */
  choosePayer: () => void;
}

/** All commands, and lesson suggestions for the typed text. */
export function useCommands(pages: readonly PageEntry[], actions: CommandActions) {
  const { open } = actions;
  const { today, timeZone } = useTutor();
  const students = useQuery(studentsQuery);
  const subjects = useQuery(subjectsQuery);
  const families = useQuery(familiesQuery);
  const goToLessonCompletion = useGoToLessonCompletion();
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
    suggestLessons(typed, quickAddContext).map(({ label, notes, defaults }, index) => ({
      id: `lesson-${index}`,
      section: 'Lesson',
      label,
      hint: ['Opens as a new lesson, nothing is saved yet.', ...notes].join(' '),
      Icon: IconCalendarPlus,
      opens: 'dialog',
      run: () => open({ kind: 'lesson', defaults }),
    }));

  return {
    commands: [
      ...actionCommands(actions, goToLessonCompletion),
      ...pages.map(({ link, ...page }) => pageCommand(page, () => void navigate(link))),
      ...(students.data ?? []).map((student) => studentCommand(student, open)),
      ...(families.data ?? []).map((family) =>
        familyCommand(family, {
          opens: 'page',
          run: () => void navigate({ to: '/families/$id', params: { id: String(family.id) } }),
        }),
      ),
    ],
    payers: sortOwingFirst(families.data ?? []).map((family) =>
      familyCommand(family, {
        opens: 'dialog',
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
  { open, choosePayer }: CommandActions,
  goToLessonCompletion: () => void,
): Command[] {
  const action = { section: 'Do', opens: 'dialog' } as const;
  return [
    {
      ...action,
      id: 'new-lesson',
      label: 'New lesson',
      hint: 'Put a lesson in the book',
      keywords: 'add create session',
      Icon: IconCalendarPlus,
      run: () => open({ kind: 'lesson', defaults: {} }),
    },
    {
      ...action,
      id: 'record-payment',
      label: 'Record payment',
      keywords: 'paid received money cash transfer add',
      Icon: IconCoins,
      opens: 'step',
      run: choosePayer,
    },
    {
      ...action,
      id: 'new-student',
      label: 'New student',
      keywords: 'add create pupil',
      Icon: IconUserPlus,
      run: () => open({ kind: 'student', student: null }),
    },
    {
      ...action,
      id: 'new-invoice',
      label: 'New invoice',
      keywords: 'add create bill',
      Icon: IconFilePlus,
      run: () => open({ kind: 'invoice' }),
    },
    {
      ...action,
      id: 'time-off',
      label: 'Time off',
      hint: 'Days without lessons',
      keywords: 'holiday cancel my day half term ill',
      Icon: IconUmbrella,
      run: () => open({ kind: 'time-off' }),
    },
    {
      ...action,
      id: 'catch-up',
      label: 'Catch up',
      hint: 'Tick off what was taught',
      keywords: 'complete mark attendance incomplete',
      Icon: IconChecklist,
      opens: 'page',
      run: goToLessonCompletion,
    },
  ];
}

const pageCommand = (
  page: Pick<Command, 'label' | 'hint' | 'Icon' | 'keywords'>,
  run: () => void,
): Command => ({ ...page, id: `page-${page.label}`, section: 'Go to', opens: 'page', run });

const studentCommand = (student: Student, open: CommandActions['open']): Command => ({
  id: `student-${student.id}`,
  section: 'Students',
  label: student.name,
  hint: [student.subject, student.carerName && `Carer: ${student.carerName}`]
    .filter(Boolean)
    .join(', '),
  keywords: student.carerName ?? '',
  Icon: IconUser,
  opens: 'dialog',
  run: () => open({ kind: 'student', student }),
});

const owes = ({ balances }: Family): boolean => balances.some(({ owed }) => owed > 0);

const sortOwingFirst = (families: readonly Family[]): Family[] =>
  families.toSorted((a, b) => Number(owes(b)) - Number(owes(a)));

/** Payers may share a name, so the hint shows their children and balance. */
function familyCommand(family: Family, action: Pick<Command, 'opens' | 'run'>): Command {
  const { id, name, students, balances } = family;
  const others = students.filter((student) => student !== name);
  const owed = balances.filter((balance) => balance.owed > 0);
  return {
    id: `family-${id}`,
    section: 'Families',
    label: name,
    hint: [
      others.length > 0 && formatList(others.map(firstName)),
      owed.length > 0 &&
        `owes ${formatList(owed.map((balance) => formatAmount(balance.owed, balance.currency)))}`,
    ]
      .filter(Boolean)
      .join(', '),
    keywords: students.join(' '),
    Icon: IconUsersGroup,
    ...action,
  };
}

/** The page needs a lesson in its path. If no session is due, a toast is shown instead. */
function useGoToLessonCompletion(): () => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const fetchDue = useMutation({
    mutationFn: () => client.fetchQuery({ ...dueSessionsQuery, staleTime: 0 }),
    meta: { errorFallback: 'The lessons to tick off could not be loaded. Please try again.' },
    onSuccess: async ([first]) => {
      if (!first) {
        toastSuccess('Nothing to tick off', 'Every lesson is dealt with.');
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
