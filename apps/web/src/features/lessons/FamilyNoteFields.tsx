import type { NoteText, SaveNoteInput } from '@lessonbook/contract/lesson-notes';
import { Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { firstName, formatList, formatRelativeDate, formatShortDate } from '../../lib/format.ts';
import type { FormState } from '../../lib/use-form.ts';
import classes from './SessionFamilyNotesForm.module.css';
import { type NoteSeat, sessionNotesQuery } from './shared/lesson-notes-api.ts';

export interface NoteTexts {
  did: string;
  nextTime: string;
  homework: string;
}

export const EMPTY_TEXTS: NoteTexts = { did: '', nextTime: '', homework: '' };

export const hasText = ({ did, nextTime, homework }: NoteTexts): boolean =>
  `${did}${nextTime}${homework}`.trim() !== '';

interface Props {
  values: NoteTexts;
  errors?: FormState<NoteTexts>['errors'];
  onChange: (changes: Partial<NoteTexts>) => void;
}

export function FamilyNoteFields({ values, errors = {}, onChange }: Props) {
  const field = (name: keyof NoteTexts) => ({
    size: 'md' as const,
    rows: 2,
    classNames: { input: classes.line },
    value: values[name],
    error: errors[name],
    'data-path': name,
    onChange: (event: { currentTarget: HTMLTextAreaElement }) =>
      onChange({ [name]: event.currentTarget.value }),
  });
  return (
    <>
      <Textarea label="What we did" {...field('did')} />
      <Textarea label="Next time" {...field('nextTime')} />
      <Textarea label="Homework" {...field('homework')} />
    </>
  );
}

/** 'Planned last time, 10 Nov: simultaneous equations', then 'Homework from 10 Nov: 9B (done)' */
export function LastNote({ previous, today }: Pick<NoteSeat, 'previous'> & { today: string }) {
  if (!previous || !hasText({ did: '', ...previous })) return null;
  const { date, nextTime, homework, isHomeworkDone } = previous;
  const day = formatRelativeDate(date, today);
  return (
    <p className={classes.previous}>
      {nextTime && `Planned last time, ${day}: ${nextTime}`}
      {nextTime && homework && '\n'}
      {homework &&
        `Homework from ${day}: ${homework} (${isHomeworkDone ? 'done' : 'not done yet'})`}
    </p>
  );
}

/** 'Fractions', then 'Next time: decimals', then 'Homework (for Sun 22 Nov): 9B' */
export function formatNoteText(note: NoteText, today: string): string {
  const { did, nextTime, homework, dueOn } = note;
  const due = dueOn ? ` (for ${formatShortDate(dueOn, today)})` : '';
  return [did, nextTime && `Next time: ${nextTime}`, homework && `Homework${due}: ${homework}`]
    .filter(Boolean)
    .join('\n');
}

/** The draft, or else what the family sees. */
const currentNote = ({ note }: NoteSeat): NoteText | null =>
  note?.draft ?? (note?.shared?.withdrawnAt === null ? note.shared : null);

interface ExistingNotesProps {
  seats: readonly NoteSeat[];
  isGroup: boolean;
  today: string;
}

/** Completing a lesson adds to the note of a single student. In a group, a student's own note stays as it is. */
function ExistingNotes({ seats, isGroup, today }: ExistingNotesProps) {
  const written = seats.filter(currentNote);
  const [first] = written;
  const current = first && currentNote(first);
  if (!current) return null;
  if (!isGroup)
    return (
      <p className={classes.previous}>
        {`${first.note?.draft ? 'Your draft' : 'Already shared'}:\n${formatNoteText(current, today)}\n\nAnything you leave blank below won't be changed.`}
      </p>
    );
  const names = formatList(written.map(({ studentName }) => firstName(studentName)));
  const has = written.length === 1 ? 'has' : 'have';
  return <p className={classes.hint}>{`${names} already ${has} a note, which stays as it is.`}</p>;
}

export interface CompletionNote extends NoteTexts {
  share: boolean;
}

export const NEW_NOTE: CompletionNote = { ...EMPTY_TEXTS, share: true };

/** What is sent with a completed lesson. If there is no date, homework is for each student's next lesson. */
export const toNoteInput = ({ share, ...texts }: CompletionNote): { familyNote?: SaveNoteInput } =>
  hasText(texts) ? { familyNote: { ...texts, share } } : {};

interface CompletionProps {
  session: { id: number; students: readonly unknown[] };
  today: string;
  /** False while the fields are hidden, so that the last note is not loaded. */
  isShown: boolean;
  note: CompletionNote;
  onChange: (note: CompletionNote) => void;
}

/** Three optional fields for the family when a lesson is completed. */
export function CompletionNoteFields(props: CompletionProps) {
  const { session, today, isShown, note, onChange } = props;
  const { data } = useQuery({ ...sessionNotesQuery(session.id), enabled: isShown });
  const [seat] = data?.students ?? [];
  const isGroup = session.students.length > 1;
  return (
    <fieldset className={classes.completion}>
      <legend>For the family (optional)</legend>
      {seat && !isGroup && <LastNote previous={seat.previous} today={today} />}
      <ExistingNotes seats={data?.students ?? []} isGroup={isGroup} today={today} />
      <FamilyNoteFields values={note} onChange={(changes) => onChange({ ...note, ...changes })} />
      {note.homework.trim() && <p className={classes.hint}>{formatDue(seat, isGroup, today)}</p>}
      {hasText(note) && (
        <CheckboxField
          label="Share with the family"
          hint={formatSharing(data?.isPortalOpen !== false, isGroup)}
          checked={note.share}
          onChange={(share) => onChange({ ...note, share })}
        />
      )}
    </fieldset>
  );
}

function formatDue(seat: NoteSeat | undefined, isGroup: boolean, today: string): string {
  if (isGroup) return "The homework is for each student's next lesson.";
  if (!seat) return 'The homework is for the next lesson.';
  return seat.nextLessonOn
    ? `For ${formatShortDate(seat.nextLessonOn, today)}, the next lesson.`
    : 'No next lesson is planned, so the homework has no date.';
}

export const PORTAL_CLOSED_HINT =
  'Your family portal is closed. The note is saved, and families will see it once you open the portal.';

function formatSharing(isPortalOpen: boolean, isGroup: boolean): string {
  if (!isPortalOpen) return PORTAL_CLOSED_HINT;
  return isGroup
    ? "Each family gets this note for their own child. If you don't share it, it's saved as a draft."
    : "If you don't share it, it's saved as a draft.";
}
