import type { LessonDetails } from '@lessonbook/contract/lessons';
import type { Session, SessionRow } from '@lessonbook/contract/sessions';
import { lazy } from 'react';
import { useLastValue } from '../../lib/use-last-value.ts';
import { RescheduleModal } from './RescheduleModal.tsx';
import { SeriesScopeModal } from './SeriesScopeModal.tsx';
import type { SessionModal } from './SessionModals.tsx';
import { withDate } from './shared/dependent-fields.ts';
import { toFormValues } from './shared/lesson-form.ts';
import type { TimeSlot } from './time-off-in-calendar.ts';

const SessionModals = lazy(async () => ({
  default: (await import('./SessionModals.tsx')).SessionModals,
}));

/** The question asked after a lesson has been dragged, or an action chosen in its popover. */
export type WeekModal =
  | { kind: 'move'; session: SessionRow; to: TimeSlot }
  | { kind: 'move-series'; session: Session; lesson: LessonDetails; to: TimeSlot }
  | { kind: 'action'; session: Session; modal: SessionModal };

interface Props {
  modal: WeekModal | null;
  today: string;
  onClose: () => void;
}

/** The modals of the week view. Loaded lazily because of the date picker. */
export function WeekModals({ modal, today, onClose }: Props) {
  const last = useLastValue(modal);
  if (!last) return null;
  if (last.kind === 'action') {
    return (
      <SessionModals
        key={last.session.id}
        session={last.session}
        today={today}
        openModal={modal === null ? null : last.modal}
        onClose={onClose}
        onMoved={onClose}
        onDeleted={onClose}
      />
    );
  }
  if (last.kind === 'move') {
    return (
      <RescheduleModal
        session={last.session}
        to={last.to}
        today={today}
        opened={modal !== null}
        onClose={onClose}
      />
    );
  }
  const { session, lesson, to } = last;
  return (
    <SeriesScopeModal
      edit={{ lesson, session, from: 'schedule' }}
      values={
        modal === null
          ? null
          : {
              ...toFormValues(lesson, session),
              ...withDate(toFormValues(lesson, session), to.date),
              startTime: to.startTime.slice(0, 5),
              endTime: to.endTime.slice(0, 5),
            }
      }
      onClose={onClose}
      onSaved={onClose}
    />
  );
}
