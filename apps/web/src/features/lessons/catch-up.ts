import { toMinor } from '@lessonbook/contract/money';
import type { Attendance, SessionRow } from '@lessonbook/contract/sessions';
import { type Amount, worth } from './day.ts';

/** What the tutor says about one session. */
export interface Tick {
  ticked: boolean;
  attendance: Attendance;
  charge: boolean;
  notes: string;
}

/** Only what differs from the usual is kept. */
export type Ticks = Readonly<Record<number, Tick>>;

export const usual: Tick = { ticked: true, attendance: 'attended', charge: true, notes: '' };

export interface Group {
  key: string;
  date: string;
  /** Of the lesson that the tutor came from. */
  own: boolean;
  sessions: SessionRow[];
}

/** The lesson's own sessions first, then all others, each by day. */
export function grouped(due: readonly SessionRow[], lessonId: number): Group[] {
  const groups = new Map<string, Group>();
  const isOwn = (session: SessionRow) => session.lessonId === lessonId;
  const ordered = [...due.filter(isOwn), ...due.filter((session) => !isOwn(session))];
  for (const session of ordered) {
    const own = isOwn(session);
    const key = `${own} ${session.date}`;
    const group = groups.get(key) ?? { key, date: session.date, own, sessions: [] };
    group.sessions.push(session);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** What completing the ticked ones charges, one sum for each currency. */
export const chargedFor = (ticked: readonly SessionRow[], ticks: Ticks): Amount[] =>
  worth(
    ticked.filter(({ id, fee }) => fee !== null && toMinor(fee) > 0 && (ticks[id] ?? usual).charge),
  );
