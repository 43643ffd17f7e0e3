import type { PortalTutor } from '@lessonbook/contract/portal';
import {
  PORTAL_NOTES_PAGE,
  type PortalHomework,
  type PortalNotes as PortalNotesReply,
  portalNotes,
} from '@lessonbook/contract/portal-notes';
import {
  type InfiniteData,
  infiniteQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
import { Checkbox } from '../../components/Checkbox.tsx';
import { PublicButton } from '../../components/PublicButtons.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { firstName, formatShortDate } from '../../lib/format.ts';
import { callApi, isNotFound } from '../../lib/http.ts';
import { PortalError, PortalLoading } from './PortalLoadStates.tsx';
import classes from './PortalNotesAndHomework.module.css';
import { dayName } from './portal-format.ts';

const portalNotesQuery = (publicId: string, studentId: number | undefined) =>
  infiniteQueryOptions({
    queryKey: ['/api/portal/notes', publicId, studentId ?? null],
    queryFn: ({ pageParam: offset }) =>
      callApi(portalNotes.portalNotes, {
        params: { publicId },
        query: { offset, ...(studentId === undefined ? {} : { studentId }) },
      }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      last.hasMore ? pages.length * PORTAL_NOTES_PAGE : undefined,
    staleTime: 0,
    refetchOnWindowFocus: true,
  });

/** Homework, and what the tutor has written about the lessons, for one child at a time. */
export function PortalNotesAndHomework({ tutor: { publicId, tutorName } }: { tutor: PortalTutor }) {
  const [chosen, setChosen] = useState<number>();
  // The first reply, which covers all the children, says who they are.
  const all = useInfiniteQuery(portalNotesQuery(publicId, undefined));
  const first = all.data?.pages[0];
  const students = first?.students ?? [];
  // Opens with the child of the latest note, and stays there when another note arrives.
  const latest = first && latestStudentId(first);
  if (chosen === undefined && latest !== undefined) setChosen(latest);
  const studentId =
    students.length > 1
      ? (students.find(({ id }) => id === chosen)?.id ?? students[0]?.id)
      : undefined;
  const list = useInfiniteQuery({
    ...portalNotesQuery(publicId, studentId),
    enabled: all.data !== undefined,
  });
  const { error } = all.error ? all : list;
  if (isNotFound(error)) {
    return (
      <p role="alert">
        {tutorName} no longer shares notes with you here. If you think that's a mistake, ask{' '}
        {tutorName}.
      </p>
    );
  }
  const retry = () => void (all.data ? list.refetch() : all.refetch());
  return (
    <>
      {students.length > 1 && studentId !== undefined && (
        <SegmentedControl
          label="Child"
          value={String(studentId)}
          options={students.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={(id) => setChosen(Number(id))}
        />
      )}
      {list.data && all.data && (
        <StudentNotes publicId={publicId} studentId={studentId} pages={list.data.pages} />
      )}
      {list.data && list.hasNextPage && (
        <PublicButton
          secondary
          disabled={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {list.isFetchingNextPage ? 'Loading...' : 'Show earlier notes'}
        </PublicButton>
      )}
      {!list.data && error && <PortalError error={error} onRetry={retry} />}
      {!list.data && !error && <PortalLoading />}
    </>
  );
}

const latestStudentId = ({ notes, homework, students }: PortalNotesReply): number | undefined =>
  (notes[0] ?? homework[0])?.studentId ?? students[0]?.id;

interface StudentProps {
  publicId: string;
  /** Undefined if there is only one child. */
  studentId: number | undefined;
  pages: readonly PortalNotesReply[];
}

function StudentNotes({ publicId, studentId, pages }: StudentProps) {
  const [first] = pages as [PortalNotesReply];
  const { homework, tutorName, today, students } = first;
  const notes = pages.flatMap((page) => page.notes);
  const tutor = firstName(tutorName);
  const mark = useMarkHomework(publicId, studentId, today);
  if (notes.length === 0 && homework.length === 0) {
    return (
      <p className={classes.card}>
        No notes yet. When {tutor} shares notes on a lesson or sets homework, you'll find them here.
      </p>
    );
  }
  return (
    <>
      {homework.length > 0 && (
        <section className={classes.section}>
          <h2>Homework</h2>
          <ul className={classes.homework}>
            {homework.map((item) => (
              <Homework
                key={`${item.sessionId} ${item.studentId}`}
                item={item}
                detail={formatHomework(item, {
                  today,
                  tutor,
                  student: students.find(({ id }) => id === item.studentId)?.name ?? '',
                })}
                onChange={(isDone) => mark.mutate({ item, isDone })}
              />
            ))}
          </ul>
        </section>
      )}
      {notes.length > 0 && (
        <section className={classes.section}>
          <h2>From {tutor}</h2>
          {notes.map((note) => (
            <article key={`${note.sessionId} ${note.studentId}`} className={classes.card}>
              <p className={classes.date}>
                {formatShortDate(note.date, today)}, {note.subjectName}
              </p>
              {note.did && <p className={classes.text}>{note.did}</p>}
              {note.nextTime && (
                <p className={classes.text}>
                  <b>Next time:</b> {note.nextTime}
                </p>
              )}
            </article>
          ))}
        </section>
      )}
    </>
  );
}

interface HomeworkProps {
  item: PortalHomework;
  detail: string;
  onChange: (isDone: boolean) => void;
}

const Homework = ({ item, detail, onChange }: HomeworkProps) => (
  <li>
    {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the homework is in it */}
    <label className={classes.item}>
      <Checkbox checked={item.done !== null} onChange={onChange} />
      <span>
        <b className={classes.text} data-done={item.done !== null || undefined}>
          {item.text}
        </b>
        <small>{detail}</small>
      </span>
    </label>
  </li>
);

/** 'For today', 'For Tue 24 Nov', 'Done by Maya, Mon 9 Nov' */
function formatHomework(
  { done, dueOn, date }: PortalHomework,
  { today, tutor, student }: { today: string; tutor: string; student: string },
): string {
  const formatDay = (day: string) =>
    dayName(day, today)?.toLowerCase() ?? formatShortDate(day, today);
  if (done) {
    const by = { you: ' by you', student: ` by ${student}`, tutor: ` by ${tutor}`, family: '' };
    return `Done${by[done.by]}, ${formatDay(done.on)}`;
  }
  return dueOn ? `For ${formatDay(dueOn)}` : `Set ${formatDay(date)}`;
}

/** Shows the tick at once, and removes it if it could not be saved. */
function useMarkHomework(publicId: string, studentId: number | undefined, today: string) {
  const client = useQueryClient();
  const { queryKey } = portalNotesQuery(publicId, studentId);
  const show = (marked: PortalHomework, done: PortalHomework['done']) =>
    client.setQueryData<InfiniteData<PortalNotesReply>>(queryKey, (data) => {
      const isMarked = (item: PortalHomework) =>
        item.sessionId === marked.sessionId && item.studentId === marked.studentId;
      return (
        data && {
          ...data,
          pages: data.pages.map((page) => ({
            ...page,
            homework: page.homework.map((item) => (isMarked(item) ? { ...item, done } : item)),
          })),
        }
      );
    });
  return useMutation({
    mutationFn: ({ item, isDone }: { item: PortalHomework; isDone: boolean }) =>
      callApi(portalNotes.setPortalHomeworkDone, {
        params: { publicId },
        body: { sessionId: item.sessionId, studentId: item.studentId, isDone },
      }),
    meta: { errorFallback: "We couldn't save that. Please try again." },
    onMutate: async ({ item, isDone }) => {
      await client.cancelQueries({ queryKey });
      show(item, isDone ? { on: today, by: 'you' } : null);
    },
    onError: (_error, { item }) => show(item, item.done),
    onSettled: () => client.invalidateQueries({ queryKey: queryKey.slice(0, 2) }),
  });
}
