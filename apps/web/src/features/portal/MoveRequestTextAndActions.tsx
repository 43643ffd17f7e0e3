import type { PortalLesson, PortalLessons, PortalMoveRequest } from '@lessonbook/contract/portal';
import { isNotFound } from '../../lib/http.ts';
import { getErrorMessage } from '../../lib/query-client.ts';
import { ANSWER_ERRORS, useAcceptSuggestion, useWithdrawMoveRequest } from './move-requests.ts';
import classes from './PortalLessonList.module.css';
import { formatStart, type Zones } from './portal-format.ts';

interface TextProps {
  moveRequest: PortalMoveRequest;
  page: PortalLessons;
  today: string;
}

/** What was asked for a lesson, and what the tutor answered. */
export function MoveRequestText({ moveRequest, page, today }: TextProps) {
  const { answer } = moveRequest;
  return (
    <div className={classes.request}>
      <p>{toSentences(moveRequest, page, today)}</p>
      {answer && <blockquote>{answer}</blockquote>}
    </div>
  );
}

function toSentences(
  { status, choices, suggestions, isOwn }: PortalMoveRequest,
  page: PortalLessons,
  today: string,
): string {
  const { tutorName } = page;
  if (status === 'declined') return `${tutorName} can't move this lesson.`;
  if (status === 'suggested') {
    const times = formatStarts(suggestions, page, today);
    const rest = isOwn ? '' : ' Only the person who asked can accept.';
    return `${tutorName} suggests: ${times}.${rest}`;
  }
  const times = choices.length > 0 ? formatStarts(choices, page, today) : 'another time';
  return `${isOwn ? 'You' : 'Someone else'} asked for ${times}. The lesson stays as it is until ${tutorName} answers.`;
}

/** 'Fri 27 Nov, 5pm or Sat 28 Nov, 12:30pm' */
const formatStarts = (starts: PortalMoveRequest['choices'], zones: Zones, today: string): string =>
  starts.map((start) => formatStart(start, zones, today)).join(' or ');

interface ActionsProps {
  publicId: string;
  lesson: PortalLesson;
  page: PortalLessons;
  today: string;
}

/** Mounted for every lesson, so that an error stays visible even if the refetched lesson has no request. */
export function MoveRequestActions({ publicId, lesson, page, today }: ActionsProps) {
  const withdraw = useWithdrawMoveRequest(publicId);
  const accept = useAcceptSuggestion(publicId, page);
  const isBusy = withdraw.isPending || accept.isPending;
  const { moveRequest } = lesson;
  const error = withdraw.error ?? accept.error;

  function reset() {
    withdraw.reset();
    accept.reset();
  }

  return (
    <>
      {moveRequest?.isOwn && moveRequest.status !== 'declined' && (
        <div className={classes.actions}>
          {moveRequest.status === 'suggested' &&
            moveRequest.suggestions.map((start) => (
              <button
                key={`${start.date} ${start.startTime}`}
                type="button"
                className={classes.move}
                disabled={isBusy}
                onClick={() => {
                  reset();
                  accept.mutate({ id: moveRequest.id, start });
                }}
              >
                Move to {formatStart(start, page, today)}
              </button>
            ))}
          <button
            type="button"
            disabled={isBusy}
            aria-label={
              moveRequest.status === 'open'
                ? `Withdraw request for ${lesson.studentName}'s lesson`
                : undefined
            }
            onClick={() => {
              reset();
              withdraw.mutate(moveRequest);
            }}
          >
            {moveRequest.status === 'open' ? 'Withdraw request' : 'Keep the lesson as it is'}
          </button>
        </div>
      )}
      {error && !isNotFound(error) && (
        <p role="alert" className={classes.problem}>
          {getErrorMessage(error, ANSWER_ERRORS)}
        </p>
      )}
    </>
  );
}
