import { dateInZone } from '@lessonbook/contract/time';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { PublicButton } from '../../components/PublicButtons.tsx';
import { getErrorMessage } from '../../lib/query-client.ts';
import { toastError } from '../../lib/toast.ts';
import { useUnsavedChanges } from '../../lib/unsaved-changes.ts';
import { BottomSheet, type SheetProps } from './BottomSheet.tsx';
import { CancelDetails, type CancelValues } from './CancelDetails.tsx';
import classes from './CancelSheet.module.css';
import { ChooseLessonsToCancel, MAX_LESSONS } from './ChooseLessonsToCancel.tsx';
import { CANCEL_ERRORS, isFeeChanged, isLessonGone, useCancelLessons } from './cancel-lessons.ts';
import { type CancellableLesson, costsOf, formatSum, isCancellable } from './cancellation-cost.ts';
import { seatKey } from './portal-format.ts';
import { portalLessonsQuery } from './signed-in-contact-api.ts';

const NOTHING_TO_DISCARD = { onDiscard: () => undefined, waitForSave: () => Promise.resolve() };

/** Cancels one lesson, or several that are chosen first, after showing the cost. */
export function CancelSheet(props: SheetProps) {
  const { publicId, page, now, lesson, drafts, onClose } = props;
  const draftKey = lesson ? seatKey(lesson) : 'several';
  const [chosenKeys, setChosenKeys] = useState<ReadonlySet<string>>(new Set());
  // A copy, so that a refetch cannot change the sum just before the button is pressed. The server rejects an outdated sum.
  const [agreed, setAgreed] = useState<readonly CancellableLesson[]>(
    lesson && isCancellable(lesson) ? [lesson] : [],
  );
  const [problem, setProblem] = useState<string | null>(null);
  const [values, setValues] = useState<CancelValues>({
    usesFree: true,
    isIllness: false,
    message: drafts.get(draftKey) ?? '',
  });
  useUnsavedChanges(values.message !== '', NOTHING_TO_DISCARD);
  const dialogRef = useRef<HTMLDialogElement>(null);
  const client = useQueryClient();
  const cancel = useCancelLessons({
    publicId,
    tutorName: page.tutorName,
    isSheetOpen: () => dialogRef.current !== null,
  });
  const today = dateInZone(page.tutorTimeZone, now);
  const costs = costsOf(agreed, values.usesFree && !values.isIllness);
  const isOne = lesson !== null;
  const isChoosing = agreed.length === 0;
  const available = page.lessons.filter(isCancellable);
  const chosen = available.filter((each) => chosenKeys.has(seatKey(each)));

  function change(changes: Partial<CancelValues>) {
    if (changes.message !== undefined) drafts.set(draftKey, changes.message);
    setValues((current) => ({ ...current, ...changes }));
  }

  function handleSuccess() {
    drafts.delete(draftKey);
    onClose();
  }

  function submit() {
    setProblem(null);
    const { isIllness, message } = values;
    const body = {
      lessons: costs.map(({ lesson: { sessionId, studentId }, fee, usesFreeCancellation }) => ({
        sessionId,
        studentId,
        fee,
        usesFreeCancellation,
      })),
      isIllness,
      message: message.trim() || null,
    };
    cancel.mutate(body, { onSuccess: handleSuccess, onError: handleError });
  }

  function handleError(error: Error) {
    if (isLessonGone(error)) return onClose();
    if (!isFeeChanged(error)) return setProblem(getErrorMessage(error, CANCEL_ERRORS));
    const { data, status } = client.getQueryState(portalLessonsQuery(publicId).queryKey) ?? {};
    if (!data || status === 'error')
      return setProblem(
        "The cost has changed, but we couldn't load the new one. Please try again.",
      );
    const keys = new Set(agreed.map(seatKey));
    const current = data.lessons.filter(isCancellable).filter((each) => keys.has(seatKey(each)));
    if (current.length === 0) {
      toastError('The lesson has changed. Please check the list.', CANCEL_ERRORS.errorTitle);
      return onClose();
    }
    setAgreed(current);
    setProblem(
      current.length === agreed.length
        ? 'The cost has changed. Please check it and confirm again.'
        : 'Some of these lessons have changed. Please check the cost and confirm again.',
    );
  }

  function backToChoice() {
    setProblem(null);
    setAgreed([]);
  }

  const isBusy = cancel.isPending;
  const number = agreed.length === 1 ? 'lesson' : `${agreed.length} lessons`;
  return (
    <BottomSheet
      ref={dialogRef}
      title={toTitle(agreed)}
      canDismiss={!isBusy && values.message === ''}
      canClose={!isBusy}
      onClose={onClose}
      actions={
        isChoosing ? (
          <>
            <PublicButton secondary onClick={onClose}>
              Keep lessons
            </PublicButton>
            <PublicButton
              disabled={chosen.length === 0 || chosen.length > MAX_LESSONS}
              onClick={() => setAgreed(chosen)}
            >
              {chosen.length === 0
                ? 'Continue'
                : `Continue with ${chosen.length} ${chosen.length === 1 ? 'lesson' : 'lessons'}`}
            </PublicButton>
          </>
        ) : (
          <>
            {problem && (
              <p role="alert" className={classes.problem}>
                {problem}
              </p>
            )}
            <PublicButton secondary disabled={isBusy} onClick={isOne ? onClose : backToChoice}>
              {isOne ? 'Keep lesson' : 'Back'}
            </PublicButton>
            <button type="button" className={classes.confirm} disabled={isBusy} onClick={submit}>
              {isBusy ? 'Cancelling...' : `Cancel ${number} (${formatSum(costs)})`}
            </button>
            {lesson?.mayAskToMove && (
              <p className={classes.alternative}>
                Prefer another time?{' '}
                <button type="button" disabled={isBusy} onClick={props.onAskToMove}>
                  Ask {page.tutorName} to move it
                </button>
              </p>
            )}
          </>
        )
      }
    >
      {isChoosing ? (
        <ChooseLessonsToCancel
          {...{ page, now, today, chosenKeys }}
          lessons={available}
          onChange={setChosenKeys}
        />
      ) : (
        <CancelDetails {...{ page, today, costs, values }} onChange={change} />
      )}
    </BottomSheet>
  );
}

function toTitle(lessons: readonly CancellableLesson[]): string {
  const [first] = lessons;
  if (!first) return 'Cancel several lessons';
  return lessons.length === 1
    ? `Cancel ${first.studentName}'s lesson?`
    : `Cancel ${lessons.length} lessons?`;
}
