import { useQuery } from '@tanstack/react-query';
import { MoveRequestAnswerButtons } from './MoveRequestAnswerButtons.tsx';
import { moveRequestsQuery } from './move-requests-api.ts';

interface Props {
  requestId: number;
  today: string;
}

/** The answers to a family's request in the portal to move a lesson. Shows nothing once the request is settled. */
export function MoveRequestActions({ requestId, today }: Props) {
  const { data = [] } = useQuery(moveRequestsQuery);
  const request = data.find(({ id }) => id === requestId);
  return request && <MoveRequestAnswerButtons request={request} today={today} />;
}
