import { weekday } from '@lessonbook/contract/dates';
import { SCOPES, type Scope } from '@lessonbook/contract/lessons';
import { Switch } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { useLastValue } from '../../lib/use-last-value.ts';
import { updatePreviewQuery, useUpdateLesson } from './api.ts';
import { affectedCount, type ChangeVerb, formatMove, formatSubmitLabel } from './lesson-format.ts';
import { promptNotifyMoved } from './prompt-notify.ts';
import { ChangeImpact, SeriesScopeOptions } from './SeriesScope.tsx';
import classes from './SeriesScopeModal.module.css';
import {
  isReschedule,
  type LessonEdit,
  type LessonFormValues,
  type SavedLesson,
  toInput,
} from './shared/lesson-form.ts';

interface Props {
  edit: LessonEdit;
  /** What the dialog holds; none while the sheet is closed. */
  values: LessonFormValues | null;
  onClose: () => void;
  onSaved: (saved: SavedLesson) => void;
}

/** Only this, this and following, or all: with what each would do, before it happens. */
export function SeriesScopeModal({ edit, values, onClose, onSaved }: Props) {
  const shown = useLastValue(values);
  return (
    <ResponsiveModal title="Which lessons change?" opened={values !== null} onClose={onClose}>
      {shown && <ScopeChoice edit={edit} values={shown} onClose={onClose} onSaved={onSaved} />}
    </ResponsiveModal>
  );
}

function ScopeChoice({ edit, values, onClose, onSaved }: Props & { values: LessonFormValues }) {
  const { lesson, session } = edit;
  const onlyThis = blockedReason(edit, values);
  const [scope, setScope] = useState<Scope>(defaultScope(edit, values, onlyThis));
  const [includeEdited, setIncludeEdited] = useState(false);
  const update = useUpdateLesson();
  const attempts = useIdempotencyKey();

  const { earlier: _, ...fields } = toInput(values);
  const change = { ...fields, sessionId: session.id, includeEdited };
  const params = { id: lesson.id };
  const previews = useQueries({
    queries: SCOPES.map((each) => ({
      ...updatePreviewQuery({ params, body: { ...change, scope: each } }),
      // Once it is done there is nothing to foresee any more.
      enabled: (update.isIdle || update.isError) && (each !== 'this' || !onlyThis),
    })),
  });
  const preview = previews[SCOPES.indexOf(scope)];
  const verb: ChangeVerb = isReschedule(session, values) ? 'move' : 'change';
  const number = preview?.data ? affectedCount(preview.data) : undefined;
  const hasEdited = preview?.data?.unchanged.some(({ reason }) => reason === 'edited');

  async function save() {
    // What stands in the way is in view, so pressing the button says yes to it.
    const acceptOverlaps = (preview?.data?.overlaps.length ?? 0) > 0;
    const input = { params, body: { ...change, scope, acceptOverlaps } };
    try {
      const { lessonId, sessionId } = await update.mutateAsync({
        ...input,
        idempotencyKey: attempts.nameOf(input),
      });
      if (scope === 'this' && verb === 'move') promptNotifyMoved(session);
      onSaved({ lessonId, sessionId, date: values.date });
    } catch {
      // A toast has said why. Meanwhile the lessons may have changed: they are counted anew, and clashes shown.
    }
  }

  return (
    <>
      {verb === 'move' && <p className={classes.move}>{formatMove(session, values)}</p>}
      <SeriesScopeOptions
        chosen={scope}
        onChoose={setScope}
        counts={previews.map(({ data }) => data && affectedCount(data))}
        {...(onlyThis && { onlyThis })}
      />
      {(hasEdited || includeEdited) && scope !== 'this' && (
        <Switch
          className={classes.switch}
          label="Also change lessons edited by themselves"
          checked={includeEdited}
          onChange={(event) => setIncludeEdited(event.currentTarget.checked)}
        />
      )}
      <ChangeImpact verb={verb} preview={preview} />
      <ModalActions
        onCancel={onClose}
        confirm={formatSubmitLabel(verb, number)}
        busy="Saving..."
        isBusy={update.isPending}
        disabled={!number}
        onConfirm={() => void save()}
      />
    </>
  );
}

/** A reason why the change cannot be for one lesson alone. */
function blockedReason({ lesson, session }: LessonEdit, to: LessonFormValues): string | undefined {
  const repeats =
    lesson.isRecurring === to.isRecurring &&
    lesson.recurringPattern === to.recurringPattern &&
    (lesson.recurringEndDate ?? '') === to.recurringEndDate;
  if (!repeats) return 'A repeat is for more than one lesson';
  return session.status === 'scheduled' ? undefined : 'This lesson has been dealt with';
}

/** Another weekday is a new arrangement, and so is what is changed from the lesson's own page. Never all by itself. */
function defaultScope(
  { session, from }: LessonEdit,
  to: LessonFormValues,
  onlyThis?: string,
): Scope {
  const newDay = weekday(session.date) !== weekday(to.date);
  return onlyThis || newDay || from === 'lesson' ? 'following' : 'this';
}
