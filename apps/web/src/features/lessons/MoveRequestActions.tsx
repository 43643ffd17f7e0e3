import { useQuery } from '@tanstack/react-query';
import { MoveRequestAnswerButtons } from './MoveRequestAnswerButtons.tsx';
import { moveRequestsQuery } from './move-requests-api.ts';

interface Props {
  requestId: number;
  today: string;
}

/** A family has asked in the portal to move a lesson. Nothing is shown once the request is settled. */
export function MoveRequestActions({ requestId, today }: Props) {
  const { data = [] } = useQuery(moveRequestsQuery);
  const request = data.find(({ id }) => id === requestId);
  return request && <MoveRequestAnswerButtons request={request} today={today} />;
}
