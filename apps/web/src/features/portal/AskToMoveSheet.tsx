import { formatTime12 } from '@lessonbook/contract/format-time';
import type { FreeTimes, LessonStart } from '@lessonbook/contract/move-requests';
import { dateInZone } from '@lessonbook/contract/time';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { PlainTextArea } from '../../components/PlainTextArea.tsx';
import { PublicButton } from '../../components/PublicButtons.tsx';
import { formatShortDate, initials } from '../../lib/format.ts';
import { isNotFound } from '../../lib/http.ts';
import { getErrorMessage } from '../../lib/query-client.ts';
import { useUnsavedChanges } from '../../lib/unsaved-changes.ts';
import classes from './AskToMoveSheet.module.css';
import { BottomSheet, type SheetProps } from './BottomSheet.tsx';
import sheetClasses from './CancelSheet.module.css';
import {
  ChooseTimesForMoveRequest,
  isFree,
  type TimeValues,
} from './ChooseTimesForMoveRequest.tsx';
import { freeTimesQuery, useAskToMove } from './move-requests.ts';
import { PortalError, PortalLoading } from './PortalLoadStates.tsx';
import { formatOwnTime, formatStart, formatSubject, seatKey } from './portal-format.ts';
import { isEmail, portalLoginQuery } from './signed-in-contact-api.ts';

const NOTHING_TO_DISCARD = { onDiscard: () => undefined, waitForSave: () => Promise.resolve() };

/** The server's limit. */
const MAX_MESSAGE_LENGTH = 500;

export function AskToMoveSheet({ lesson, ...props }: SheetProps) {
  return lesson && <AskToMove {...props} lesson={lesson} />;
}

interface Props extends SheetProps {
  lesson: NonNullable<SheetProps['lesson']>;
}

/** Asks for another time or, if no free time suits, lets the person write which times would. */
function AskToMove({ publicId, page, now, lesson, drafts, onClose }: Omit<Props, 'onAskToMove'>) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const { tutorName } = page;
  const today = dateInZone(page.tutorTimeZone, now);
  const free = useQuery(freeTimesQuery(publicId, lesson));
  const [values, setValues] = useState<TimeValues>({ first: null, second: null });
  const [noneSuits, setNoneSuits] = useState(false);
  const [message, setMessage] = useState(drafts.get(seatKey(lesson)) ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  useUnsavedChanges(message !== '', NOTHING_TO_DISCARD);
  const ask = useAskToMove({
    publicId,
    tutorName,
    lesson,
    isSheetOpen: () => dialogRef.current !== null,
  });
  const login = useQueryClient().getQueryData(portalLoginQuery.queryKey);
  const hasEmail = isEmail(login?.address ?? '');
  const isBusy = ask.isPending;
  const hasTimes = (free.data?.days.length ?? 0) > 0;
  const isFreeText = noneSuits || !hasTimes;
  const choices = isFreeText || !free.data ? [] : toChoices(values, free.data);
  const [first] = choices;

  function changeMessage(text: string) {
    drafts.set(seatKey(lesson), text);
    setMessage(text);
  }

  function submit() {
    const trimmedMessage = message.trim();
    if (isFreeText && trimmedMessage === '')
      return setProblem('Please say which times would suit you.');
    setProblem(null);
    const { sessionId, studentId } = lesson;
    return ask.mutate(
      { sessionId, studentId, choices, message: trimmedMessage || null },
      {
        onSuccess: () => {
          drafts.delete(seatKey(lesson));
          onClose();
        },
        onError: (error) => {
          if (isNotFound(error)) onClose();
          else setProblem(getErrorMessage(error, ask.errorMessages));
        },
      },
    );
  }

  const label = first ? `Ask for ${formatStart(first, page, today)}` : `Ask ${tutorName}`;
  return (
    <BottomSheet
      ref={dialogRef}
      title="Ask to move"
      hasBackButton
      canDismiss={!isBusy && message === '' && values.first === null}
      canClose={!isBusy}
      onClose={onClose}
      actions={
        <>
          {problem && (
            <p role="alert" className={sheetClasses.problem}>
              {problem}
            </p>
          )}
          <PublicButton disabled={isBusy || !free.data || (!isFreeText && !first)} onClick={submit}>
            {isBusy ? 'Sending...' : label}
          </PublicButton>
        </>
      }
    >
      <LessonCard {...{ lesson, page, today }} />
      {!free.data && free.error && (
        <PortalError error={free.error} onRetry={() => void free.refetch()} />
      )}
      {!free.data && !free.error && <PortalLoading />}
      {free.data && (
        <>
          {!isFreeText && (
            <ChooseTimesForMoveRequest
              {...{ lesson, page, today, values }}
              free={free.data}
              onChange={(next) => {
                setProblem(null);
                setValues(next);
              }}
            />
          )}
          {hasTimes ? (
            <CheckboxField
              label="None of these times suit me"
              checked={noneSuits}
              onChange={setNoneSuits}
            />
          ) : (
            <p>
              {tutorName} has no free times to choose from at the moment. Say which times would suit
              you, and they'll see what's possible.
            </p>
          )}
          <PlainTextArea
            label={isFreeText ? 'Which times would suit you?' : 'Message (optional)'}
            maxLength={MAX_MESSAGE_LENGTH}
            value={message}
            onChange={changeMessage}
          />
          <p className={classes.info}>
            <IconInfoCircle size={20} stroke={1.8} aria-hidden />
            {lesson.studentName}'s lesson stays as it is until {tutorName} answers.
            {hasEmail && " We'll email you the answer."}
          </p>
        </>
      )}
    </BottomSheet>
  );
}

/** Times that are no longer free are left out. If none has been chosen, the closest time is proposed. */
function toChoices({ first, second }: TimeValues, free: FreeTimes): LessonStart[] {
  const chosen = first && isFree(first, free) ? first : free.closest;
  return [chosen, second].filter((start) => start !== null && isFree(start, free)) as LessonStart[];
}

function LessonCard({ lesson, page, today }: Pick<Props, 'lesson' | 'page'> & { today: string }) {
  const ownTime = formatOwnTime(lesson, page);
  return (
    <div className={classes.lesson}>
      <Avatar initials={initials(lesson.studentName)} />
      <p>
        <b>
          {lesson.studentName}, {formatShortDate(lesson.date, today)},{' '}
          {formatTime12(lesson.startTime)}
        </b>
        {ownTime && <small>{ownTime}</small>}
        <small>{formatSubject(lesson)}</small>
      </p>
    </div>
  );
}
