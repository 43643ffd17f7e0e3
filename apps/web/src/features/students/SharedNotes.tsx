import type { LessonNote } from '@lessonbook/contract/lesson-notes';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { LoadError, ShowMore } from '../../components/ListStates.tsx';
import { firstName, formatShortDate } from '../../lib/format.ts';
import { studentNotesQuery, useSetHomeworkDone } from '../lessons/shared/lesson-notes-api.ts';
import classes from './StudentOverviewSections.module.css';

interface Props {
  student: { id: number; name: string };
  today: string;
}

/** Notes on lessons for the family, newest first. */
export function SharedNotes({ student, today }: Props) {
  const list = useInfiniteQuery(studentNotesQuery(student.id));
  const notes = list.data?.pages.flat() ?? [];
  if (notes.length === 0 && !list.isError) return null;
  return (
    <section className={classes.shared} aria-label="Notes for the family">
      <h3>For the family</h3>
      <ul>
        {notes.map((note) => (
          <Note key={note.sessionId} note={note} today={today} />
        ))}
      </ul>
      {list.isError && (
        <LoadError onRetry={() => void (notes.length > 0 ? list.fetchNextPage() : list.refetch())}>
          We couldn't load the notes for the family.
        </LoadError>
      )}
      {!list.isError && <ShowMore list={list} />}
    </section>
  );
}

function Note({ note, today }: { note: LessonNote; today: string }) {
  const { sessionId, studentId, draft, shared, homeworkDone } = note;
  const setDone = useSetHomeworkDone();
  const text = draft ?? shared;
  if (!text) return null;
  const { did, nextTime, homework, dueOn } = text;
  return (
    <li>
      <p>
        <Link to="/sessions/$id" params={{ id: String(sessionId) }}>
          {formatShortDate(note.date, today)}, {note.subjectName}
        </Link>{' '}
        <small>{formatState(note)}</small>
      </p>
      {(did || nextTime) && (
        <p>{[did, nextTime && `Next time: ${nextTime}`].filter(Boolean).join('\n')}</p>
      )}
      {homework && (
        <CheckboxField
          label={homework}
          hint={formatHomework(dueOn, homeworkDone, today)}
          checked={homeworkDone !== null}
          onChange={(isDone) =>
            setDone.mutate({ params: { id: sessionId, studentId }, body: { isDone } })
          }
        />
      )}
    </li>
  );
}

function formatState({ draft, shared }: LessonNote): string {
  if (!shared) return 'Draft';
  if (shared.withdrawnAt) return 'Withdrawn';
  return draft ? 'Shared, with changes in a draft' : 'Shared';
}

/** 'Homework for Tue 24 Nov', 'Homework, done by Ruth' */
function formatHomework(
  dueOn: string | null,
  done: LessonNote['homeworkDone'],
  today: string,
): string {
  if (done) return done.name ? `Homework, done by ${firstName(done.name)}` : 'Homework, done';
  return dueOn ? `Homework for ${formatShortDate(dueOn, today)}` : 'Homework';
}
