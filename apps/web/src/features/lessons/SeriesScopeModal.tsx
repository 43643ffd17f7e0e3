import { weekday } from '@lessonbook/contract/dates';
import { SCOPES, type Scope } from '@lessonbook/contract/lessons';
import { fitPattern } from '@lessonbook/contract/recurrence';
import { Switch } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { useLastValue } from '../../lib/use-last-value.ts';
import { updatePreviewQuery, useUpdateLesson } from './api.ts';
import {
  type ChangeVerb,
  countAffectedLessons,
  formatMove,
  formatSubmitLabel,
  isReschedule,
} from './lesson-change-format.ts';
import { offerRescheduleNotice, offerSeriesMoveNotice } from './offer-change-notice.ts';
import classes from './SeriesScopeModal.module.css';
import { ChangeImpact, SeriesScopeOptions } from './SeriesScopeOptionsAndImpact.tsx';
import { withDate } from './shared/dependent-fields.ts';
import {
  type LessonEdit,
  type LessonFormValues,
  type SavedLesson,
  toFormValues,
  toUpdateInput,
} from './shared/lesson-form.ts';
import { TimeOffHint, useTimeOffDuring } from './TimeOffNotice.tsx';

interface Props {
  edit: LessonEdit;
  /** The dialog's values; null while the modal is closed. */
  values: LessonFormValues | null;
  onClose: () => void;
  onSaved: (saved: SavedLesson) => void;
}

/** Asks for the scope of a change, with a preview of each scope. */
export function SeriesScopeModal({ edit, values, onClose, onSaved }: Props) {
  const lastValues = useLastValue(values);
  return (
    <ResponsiveModal
      title="Which lessons do you want to change?"
      opened={values !== null}
      onClose={onClose}
    >
      {lastValues && (
        <ScopeChoice edit={edit} values={lastValues} onClose={onClose} onSaved={onSaved} />
      )}
    </ResponsiveModal>
  );
}

function ScopeChoice({ edit, values, onClose, onSaved }: Props & { values: LessonFormValues }) {
  const { lesson, session } = edit;
  const blockedReason = findBlockedReason(edit, values);
  const [scope, setScope] = useState<Scope>(defaultScope(edit, values, blockedReason));
  const [includeEdited, setIncludeEdited] = useState(false);
  const update = useUpdateLesson();
  const idempotency = useIdempotencyKey();
  const timeOff = useTimeOffDuring(values);

  const change = { ...toUpdateInput(values), sessionId: session.id, includeEdited };
  const params = { id: lesson.id };
  const previews = useQueries({
    queries: SCOPES.map((option) => ({
      ...updatePreviewQuery({ params, body: { ...change, scope: option } }),
      // No preview once the change is saved.
      enabled: (update.isIdle || update.isError) && (option !== 'this' || !blockedReason),
    })),
  });
  const preview = previews[SCOPES.indexOf(scope)];
  const verb: ChangeVerb = isReschedule(session, values) ? 'move' : 'change';
  const hasEdited = preview?.data?.unchanged.some(({ reason }) => reason === 'edited');

  async function save() {
    // The preview lists the overlaps, so submitting accepts them.
    const acceptOverlaps = (preview?.data?.overlaps.length ?? 0) > 0;
    const input = { params, body: { ...change, scope, acceptOverlaps } };
    try {
      const { lessonId, sessionId, moved } = await update.mutateAsync({
        ...input,
        idempotencyKey: idempotency.keyFor(input),
        ...(isMoveOnly(edit, values) && { previous: { ...previousValues(edit), scope } }),
      });
      if (scope === 'this' && verb === 'move') offerRescheduleNotice(session);
      else offerSeriesMoveNotice(moved);
      onSaved({ lessonId, sessionId, date: values.date });
    } catch {
      // A toast shows the error. The previews are refetched, including any new overlaps.
    }
  }

  return (
    <>
      {verb === 'move' && <p className={classes.move}>{formatMove(session, values)}</p>}
      <SeriesScopeOptions
        chosen={scope}
        onChoose={setScope}
        counts={previews.map(({ data }) => data && countAffectedLessons(data))}
        {...(blockedReason && { blockedReason })}
      />
      {(hasEdited || includeEdited) && scope !== 'this' && (
        <Switch
          className={classes.switch}
          label="Also change lessons you've edited individually"
          checked={includeEdited}
          onChange={(event) => setIncludeEdited(event.currentTarget.checked)}
        />
      )}
      <ChangeImpact verb={verb} preview={preview} recurrence={values} />
      {verb === 'move' && <TimeOffHint timeOff={timeOff} />}
      <ModalActions
        onCancel={onClose}
        confirmLabel={formatSubmitLabel(verb, preview?.data)}
        busyLabel="Saving..."
        isBusy={update.isPending}
        disabled={!preview?.data || countAffectedLessons(preview.data) === 0}
        onConfirm={() => void save()}
      />
    </>
  );
}

/** The values to send to undo the change. */
function previousValues({ lesson, session }: LessonEdit) {
  return { ...toUpdateInput(toFormValues(lesson, session)), sessionId: session.id };
}

/** Whether only the date and the times change. Any other change could not be undone exactly. */
function isMoveOnly({ lesson, session }: LessonEdit, to: LessonFormValues): boolean {
  const { date, startTime, endTime } = to;
  const previous = toFormValues(lesson, session);
  const moved = toUpdateInput({ ...previous, ...withDate(previous, date), startTime, endTime });
  return isReschedule(session, to) && JSON.stringify(moved) === JSON.stringify(toUpdateInput(to));
}

/** The reason why the change cannot apply to a single lesson, if there is one. */
function findBlockedReason(
  { lesson, session }: LessonEdit,
  to: LessonFormValues,
): string | undefined {
  const sameRecurrence =
    lesson.isRecurring === to.isRecurring &&
    fitPattern(lesson.recurringPattern, to.date) === to.recurringPattern &&
    (lesson.recurringEndDate ?? '') === to.recurringEndDate;
  if (!sameRecurrence) return "A new repeat pattern can't apply to one lesson only";
  return session.status === 'scheduled'
    ? undefined
    : 'This lesson is already completed or cancelled';
}

/** 'following' for a different weekday or a change on the lesson's page; 'this' after dragging; never 'all' by default. */
function defaultScope(
  { session, from }: LessonEdit,
  to: LessonFormValues,
  blockedReason?: string,
): Scope {
  const isNewWeekday = from !== 'schedule' && weekday(session.date) !== weekday(to.date);
  return blockedReason || isNewWeekday || from === 'lesson' ? 'following' : 'this';
}
