import type { Session } from '@lessonbook/contract/sessions';
import { CancelSheet } from './CancelSheet.tsx';
import { CompleteSheet } from './CompleteSheet.tsx';
import { ReopenSheet } from './ReopenSheet.tsx';
import { RescheduleSheet } from './RescheduleSheet.tsx';

export type SessionSheet = 'complete' | 'move' | 'cancel' | 'reopen';

interface Props {
  session: Session;
  today: string;
  open: SessionSheet | null;
  onClose: () => void;
  onMoved: (to: { id: number }) => void;
}

/** The sheets behind the actions. Large with their calendar, so fetch them when one is first wanted. */
export function SessionSheets({ session, today, open, onClose, onMoved }: Props) {
  const sheet = { session, onClose };
  return (
    <>
      <CompleteSheet {...sheet} opened={open === 'complete'} />
      <RescheduleSheet {...sheet} today={today} opened={open === 'move'} onMoved={onMoved} />
      <CancelSheet {...sheet} opened={open === 'cancel'} />
      <ReopenSheet {...sheet} opened={open === 'reopen'} />
    </>
  );
}
