import type { SessionRow } from '@lessonbook/contract/sessions';
import { tellStore } from '../../lib/tell.ts';

type Told = Pick<SessionRow, 'id' | 'date'>;

/** What was to have been yesterday is no news. */
export const askToTellCancelled = (sessions: readonly Told[], today: string) =>
  tellStore.ask({ kind: 'cancelled', sessions: sessions.filter(({ date }) => date >= today) });

export const askToTellMoved = (session: Told) =>
  tellStore.ask({ kind: 'moved', sessions: [session] });
