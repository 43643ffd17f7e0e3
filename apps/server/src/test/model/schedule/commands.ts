import type { Random } from '../random.ts';
import type { ChangeInput } from './change-single-session-model.ts';
import type { CancelSeatInput, JoinInput, LeaveInput } from './group-seats-model.ts';
import type { RateInput } from './prices-model.ts';
import type { ModelTerm, ScheduleState } from './schedule-model.ts';
import type {
  CancelInput,
  Completion,
  CreateInput,
  RescheduleInput,
  TimeOffInput,
} from './session-lifecycle-model.ts';
import type { StatusInput } from './student-status-model.ts';

/** What a tutor can do in the model test. */
export type Command =
  | ({ kind: 'create'; preview: boolean } & CreateInput)
  | ({ kind: 'change'; preview: boolean } & ChangeInput)
  | ({ kind: 'delete'; preview: boolean } & Pick<ChangeInput, 'lessonId' | 'sessionId' | 'scope'>)
  | ({ kind: 'reschedule' } & RescheduleInput)
  | { kind: 'complete'; completions: Completion[] }
  | ({ kind: 'cancel' } & CancelInput)
  | { kind: 'reopen'; sessionId: number; accept: boolean }
  | ({ kind: 'join' } & JoinInput)
  | ({ kind: 'leave' } & LeaveInput)
  | ({ kind: 'cancel seat' } & CancelSeatInput)
  | { kind: 'restore seat'; sessionId: number; studentId: number }
  | { kind: 'undo move'; sessionId: number }
  | { kind: 'archive student'; studentId: number }
  | ({ kind: 'change status'; preview: boolean } & StatusInput)
  | ({ kind: 'create time off' } & TimeOffInput)
  | { kind: 'delete time off'; id: number; restore: boolean }
  | ({ kind: 'save rate' } & RateInput)
  | { kind: 'delete rate'; id: number }
  | { kind: 'change subject'; subjectId: number; fee: number; currency: string }
  | { kind: 'create terms'; terms: ModelTerm[] }
  | { kind: 'change terms'; preview: boolean; id: number; terms: ModelTerm[] }
  | { kind: 'delete terms'; id: number }
  | { kind: 'policy'; noticeHours: number; feePercent: number }
  | { kind: 'wait'; minutes: number }
  | { kind: 'wait and extend series'; days: number };

export interface FixtureIds {
  studentIds: number[];
  subjectIds: number[];
}

export type CommandGenerator = (
  random: Random,
  state: ScheduleState,
  fixtureIds: FixtureIds,
) => Command | null;
