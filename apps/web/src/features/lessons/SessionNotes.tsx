import { SessionNotesInput } from '@lessonbook/contract/lesson-notes';
import type { Session } from '@lessonbook/contract/sessions';
import { Button, Textarea } from '@mantine/core';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { RowSkeleton } from '../../components/ListStates.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { formatRelativeDate } from '../../lib/format.ts';
import type { DateContext } from '../../lib/format-timestamp.ts';
import { useForm } from '../../lib/use-form.ts';
import { useUpdateSessionNotes } from './api.ts';
import classes from './SessionNotes.module.css';

const SessionFamilyNotesForm = lazy(async () => ({
  default: (await import('./SessionFamilyNotesForm.tsx')).SessionFamilyNotesForm,
}));

const READERS = [
  { value: 'me', label: 'Only me' },
  { value: 'family', label: 'For the family' },
] as const;
type Readers = (typeof READERS)[number]['value'];

interface Props {
  session: Session;
  dateContext: DateContext;
}

/** The notes on one date: the tutor's own, and those for the family. Both stay mounted, so that no input is lost. */
export function SessionNotes({ session, dateContext }: Props) {
  const [readers, setReaders] = useState<Readers>('me');
  const [wasFamilyShown, setFamilyShown] = useState(false);
  if (readers === 'family' && !wasFamilyShown) setFamilyShown(true);
  return (
    <Card
      heading="Notes"
      aside={
        // The notes of a moved lesson are shown at its new time.
        session.status !== 'rescheduled' && (
          <SegmentedControl
            label="Who reads the notes"
            value={readers}
            options={READERS}
            onChange={setReaders}
          />
        )
      }
    >
      <div hidden={readers !== 'me'}>
        <PrivateNotes session={session} today={dateContext.today} />
      </div>
      {wasFamilyShown && (
        <div hidden={readers !== 'family'}>
          <Suspense fallback={<RowSkeleton rows={3} />}>
            <SessionFamilyNotesForm sessionId={session.id} dateContext={dateContext} />
          </Suspense>
        </div>
      )}
    </Card>
  );
}

function PrivateNotes({ session, today }: { session: Session; today: string }) {
  const savedNotes = session.notes ?? '';
  const { values, change, replace, onSubmit, errors } = useForm({
    schema: SessionNotesInput,
    initialValues: { notes: savedNotes },
    mode: 'controlled',
    draft: { key: `notes ${session.id}`, fields: ['notes'] },
  });
  const update = useUpdateSessionNotes();
  useChangedNotes(savedNotes, values.notes, (notes) => replace({ notes }));
  const { previousNotes } = session;
  const save = onSubmit((body) => update.mutateAsync({ params: { id: session.id }, body }));

  return (
    <>
      <form className={classes.form} onSubmit={save}>
        <Textarea
          aria-label="Notes for this lesson"
          size="md"
          rows={3}
          data-path="notes"
          value={values.notes}
          error={errors['notes']}
          onChange={(event) => change({ notes: event.currentTarget.value })}
        />
        {values.notes !== savedNotes && (
          <Button type="submit" variant="light" loading={update.isPending}>
            Save notes
          </Button>
        )}
      </form>
      {previousNotes && (
        <p className={classes.previous}>
          Last time, {formatRelativeDate(previousNotes.date, today)}: {previousNotes.notes}
        </p>
      )}
      <p className={classes.hint}>
        Families don't see these. If someone asks for the data you hold about them, you may have to
        disclose these notes.
      </p>
    </>
  );
}

/** Shows notes that were changed elsewhere, such as in the completion form, unless the tutor is typing. */
function useChangedNotes(saved: string, shown: string, show: (notes: string) => void) {
  const lastSaved = useRef(saved);
  useEffect(() => {
    const isTyping = shown !== lastSaved.current;
    if (saved !== lastSaved.current && !isTyping) show(saved);
    lastSaved.current = saved;
  }, [saved, shown, show]);
}
