import { addDaysToDate } from '@lessonbook/contract/dates';
import type { Family } from '@lessonbook/contract/families';
import type { Student } from '@lessonbook/contract/students';
import { systemNow } from '@lessonbook/contract/time';
import {
  IconCalendarEvent,
  IconCalendarPlus,
  IconChecklist,
  IconKeyboard,
  IconLogout,
  IconUser,
  IconUserPlus,
  IconUsersGroup,
} from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { firstName, formatAmount, formatList, formatShortDate } from '../../lib/format.ts';
import { formatTimeAt } from '../../lib/format-timestamp.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { useTutor } from '../accounts/AuthProvider.tsx';
import { useLogout } from '../accounts/api.ts';
import { dueSessionsQuery, sessionsQuery } from '../lessons/api.ts';
import { familiesQuery } from '../payments/api.ts';
import { createQuickAddContext } from '../quick-add/parse-lesson.ts';
import {
  type LessonAction,
  parseLessonActionsOrNewStudent,
  type QuickRequest,
} from '../quick-add/parse-lesson-action-or-new-student.ts';
import { suggestLessons } from '../quick-add/suggest-lessons.ts';
import { studentsQuery } from '../students/api.ts';
import { subjectsQuery } from '../subjects/api.ts';
import { CREATE_ACTIONS, type DialogRequest } from './create-actions.ts';
import type { Command } from './search-commands.ts';

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
  showShortcuts: () => void;
}

/** Shown until something is typed. */
const FIRST_STUDENTS = 5;

/** The pages and actions, and lesson suggestions for the typed text. The server finds everything else. */
export function useCommands(
  pages: readonly PageEntry[],
  actions: CommandActions,
  { isChoosingPayer }: { isChoosingPayer: boolean },
) {
  const { open } = actions;
  const { today, timeZone } = useTutor();
  const students = useQuery(studentsQuery);
  const subjects = useQuery(subjectsQuery);
  const families = useQuery({ ...familiesQuery, enabled: isChoosingPayer });
  const goToLessonCompletion = useGoToLessonCompletion();
  const logout = useLogout();
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

  const openLesson = useOpenLesson();
  const suggest = (typed: string): Command[] =>
    parseLessonActionsOrNewStudent(typed, quickAddContext)?.map((request) =>
      requestCommand(request, today, { open, openLesson }),
    ) ??
    suggestLessons(typed, quickAddContext).map(({ label, notes, defaults }, index) => ({
      id: `lesson-${index}`,
      section: 'New lesson',
      label,
      hint: ['Opens a new lesson. Nothing is saved yet.', ...notes].join(' '),
      Icon: IconCalendarPlus,
      opens: 'dialog',
      run: () => open({ kind: 'lesson', defaults }),
    }));

  return {
    commands: [
      ...actionCommands(actions, { goToLessonCompletion, logOut: () => logout.mutate() }),
      ...pages.map(({ link, ...page }) => pageCommand(page, () => void navigate(link))),
    ],
    firstStudents: (students.data ?? [])
      .slice(0, FIRST_STUDENTS)
      .map((student) =>
        studentCommand(
          student,
          () => void navigate({ to: '/students/$id', params: { id: String(student.id) } }),
        ),
      ),
    payers: sortOwingFirst(families.data ?? []).map((family) => payerCommand(family, open)),
    suggest,
    isLoadingPayers: isChoosingPayer && families.isPending,
    problem: families.isError ? "We couldn't load your families." : undefined,
  };
}

function actionCommands(
  { open, choosePayer, showShortcuts }: CommandActions,
  { goToLessonCompletion, logOut }: { goToLessonCompletion: () => void; logOut: () => void },
): Command[] {
  const action = { section: 'Actions', opens: 'dialog' } as const;
  return [
    ...CREATE_ACTIONS.map(
      ({ request, ...create }): Command => ({
        ...action,
        ...create,
        opens: request ? 'dialog' : 'step',
        run: () => (request ? open(request) : choosePayer()),
      }),
    ),
    {
      ...action,
      id: 'complete-lessons',
      label: 'Complete lessons',
      hint: 'Mark past lessons as complete',
      keywords: 'catch up attendance incomplete',
      Icon: IconChecklist,
      opens: 'page',
      run: goToLessonCompletion,
    },
    {
      ...action,
      id: 'keyboard-shortcuts',
      label: 'Keyboard shortcuts',
      keywords: 'keys help',
      Icon: IconKeyboard,
      run: showShortcuts,
    },
    {
      ...action,
      id: 'log-out',
      label: 'Log out',
      keywords: 'logout sign out exit',
      Icon: IconLogout,
      run: logOut,
    },
  ];
}

const pageCommand = (
  page: Pick<Command, 'label' | 'hint' | 'Icon' | 'keywords'>,
  run: () => void,
): Command => ({ ...page, id: `page-${page.label}`, section: 'Go to', opens: 'page', run });

const studentCommand = (student: Student, run: () => void): Command => ({
  id: `student-${student.id}`,
  section: 'Students',
  label: student.name,
  hint: [student.subject, student.carerName && `Carer: ${student.carerName}`]
    .filter(Boolean)
    .join(', '),
  Icon: IconUser,
  opens: 'page',
  run,
});

const owes = ({ balances }: Family): boolean => balances.some(({ owed }) => owed > 0);

const sortOwingFirst = (families: readonly Family[]): Family[] =>
  families.toSorted((a, b) => Number(owes(b)) - Number(owes(a)));

/** Payers may share a name, so the hint shows their children and balance. */
function payerCommand(family: Family, open: CommandActions['open']): Command {
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
    opens: 'dialog',
    run: () => open({ kind: 'payment', familyId: id }),
  };
}

const ACTION_LABELS: Record<LessonAction, string> = {
  cancel: 'Cancel',
  move: 'Move',
  complete: 'Complete',
};

/** Opens the page of the lesson, where the tutor can make the requested change, or the dialog for a new student. */
function requestCommand(
  request: QuickRequest,
  today: string,
  actions: { open: CommandActions['open']; openLesson: (request: LessonRequest) => void },
): Command {
  if (request.kind === 'student')
    return {
      id: 'add-student',
      section: 'Suggested',
      label: `Add ${request.name}`,
      hint: 'Opens a new student. Nothing is saved yet.',
      Icon: IconUserPlus,
      opens: 'dialog',
      run: () => actions.open({ kind: 'student', student: null, name: request.name }),
    };
  const { action, student, date } = request;
  return {
    id: `${action}-${student.id}`,
    section: 'Suggested',
    label: `${ACTION_LABELS[action]} ${student.name}, ${date ? formatShortDate(date, today) : 'next lesson'}`,
    hint: 'Opens the lesson. Nothing has changed yet.',
    Icon: IconCalendarEvent,
    opens: 'page',
    run: () => actions.openLesson(request),
  };
}

type LessonRequest = Extract<QuickRequest, { kind: 'lesson' }>;

/** How many days ahead to search for the next lesson. */
const NEXT_LESSON_DAYS = 60;

/** If no lesson matches, opens the student's page, which shows their other lessons. */
function useOpenLesson(): (request: LessonRequest) => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { today } = useTutor();
  const find = useMutation({
    mutationFn: async ({ student, date }: LessonRequest) => {
      const to = date ?? addDaysToDate(today, NEXT_LESSON_DAYS);
      const rows = await client.fetchQuery({ ...sessionsQuery(date ?? today, to), staleTime: 0 });
      return rows.find(
        ({ status, students }) =>
          status === 'scheduled' && students.some(({ studentId }) => studentId === student.id),
      );
    },
    meta: { errorFallback: "The lesson couldn't be found. Please try again." },
    onSuccess: async (session, { action, student, date }) => {
      if (session && action === 'complete')
        await navigate({
          to: '/lessons/$lessonId/complete',
          params: { lessonId: String(session.lessonId) },
          search: { session: session.id },
        });
      else if (session) await navigate({ to: '/sessions/$id', params: { id: String(session.id) } });
      else {
        await navigate({ to: '/students/$id', params: { id: String(student.id) } });
        const day = date ? ` on ${formatShortDate(date, today)}` : '';
        toastSuccess('No lesson found', `${student.name} has no lesson to change${day}.`);
      }
    },
  });
  return (request) => find.mutate(request);
}

/** The page needs a lesson in its path. If no session is due, a toast is shown instead. */
function useGoToLessonCompletion(): () => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const fetchDue = useMutation({
    mutationFn: () => client.fetchQuery({ ...dueSessionsQuery, staleTime: 0 }),
    meta: { errorFallback: "We couldn't load the lessons to complete. Please try again." },
    onSuccess: async ([first]) => {
      if (!first) {
        toastSuccess("You're all caught up", 'There are no lessons to complete.');
        return;
      }
      await navigate({
        to: '/lessons/$lessonId/complete',
        params: { lessonId: String(first.lessonId) },
      });
    },
  });
  return () => fetchDue.mutate();
}
