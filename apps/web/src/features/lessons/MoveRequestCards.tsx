import type { MoveRequest } from '@lessonbook/contract/move-requests';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Card } from '../../components/Card.tsx';
import { firstName } from '../../lib/format.ts';
import classes from './MoveRequestAnswerButtons.module.css';
import { MoveRequestAnswerButtons } from './MoveRequestAnswerButtons.tsx';
import { formatStart, sessionMoveRequestsQuery } from './move-requests-api.ts';

interface Props {
  sessionId: number;
  today: string;
  onMoved: (to: { id: number }) => void;
}

/** Requests to move this lesson that are not settled yet. */
export function MoveRequestCards({ sessionId, today, onMoved }: Props) {
  const { data: requests = [] } = useQuery(sessionMoveRequestsQuery(sessionId));
  return requests.map((request) => (
    <Card key={request.id}>
      <section aria-label="Request to move">
        <p className={classes.title}>
          <IconArrowsExchange size={20} stroke={1.8} aria-hidden="true" />
          {formatRequest(request, today)}
        </p>
        {request.status === 'suggested' && (
          <p className={classes.waiting}>
            You suggested {formatStarts(request.suggestions, today)}. You'll be notified when{' '}
            {firstName(request.contactName)} answers.
          </p>
        )}
        <MoveRequestAnswerButtons request={request} today={today} onMoved={onMoved} />
      </section>
    </Card>
  ));
}

const formatStarts = (starts: MoveRequest['suggestions'], today: string): string =>
  starts.map((start) => formatStart(start, today)).join(' or ');

/** 'Ruth Hale has asked to move this lesson to Fri 27 Nov, 5pm or Sat 28 Nov, 12:30pm.' */
function formatRequest({ contactName, choices }: MoveRequest, today: string): string {
  const to = choices.length > 0 ? ` to ${formatStarts(choices, today)}` : '';
  return `${contactName} has asked to move this lesson${to}.`;
}
