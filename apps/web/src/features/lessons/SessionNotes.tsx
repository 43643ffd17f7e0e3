import { type Session, SessionNotesInput } from '@lessonbook/contract/sessions';
import { Button, Textarea } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Card } from '../../components/Card.tsx';
import { formatRelativeDate } from '../../lib/format.ts';
import { useForm } from '../../lib/use-form.ts';
import { useUpdateSessionNotes } from './api.ts';
import classes from './SessionNotes.module.css';

/** The tutor's private notes on one date. */
export function SessionNotes({ session, today }: { session: Session; today: string }) {
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
    <Card heading="Notes" aside={<span className={classes.hint}>Only you see these</span>}>
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
    </Card>
  );
}

/** Shows notes that were changed elsewhere, such as in the form for completing, unless the tutor is typing. */
function useChangedNotes(saved: string, shown: string, show: (notes: string) => void) {
  const lastSaved = useRef(saved);
  useEffect(() => {
    const isTyping = shown !== lastSaved.current;
    if (saved !== lastSaved.current && !isTyping) show(saved);
    lastSaved.current = saved;
  }, [saved, shown, show]);
}
