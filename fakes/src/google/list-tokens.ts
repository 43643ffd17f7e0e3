import { ApiError } from './error-response.ts';
import type { GoogleState, StoredCalendar } from './state.ts';

const DAY = 86_400_000;
/** Google does not say how long; some weeks is what people see. */
export const SYNC_TOKEN_TTL = 28 * DAY;
const MAX_OPEN_LISTS = 2_000;

/** A list under way: what was in it when its first page was asked for. */
export interface OpenList {
  calendarId: string;
  ids: string[];
  /** The last change it knows of: where the next incremental list goes on. */
  upTo: number;
  showDeleted: boolean;
  zone: string;
  /** Whether a sync token comes with the last page. */
  syncs: boolean;
}

interface SyncPoint {
  calendarId: string;
  upTo: number;
  madeAt: number;
}

/** What page tokens and sync tokens stand for. */
export class ListTokens {
  private readonly pages = new Map<string, { list: OpenList; from: number }>();
  private readonly points = new Map<string, SyncPoint>();
  private readonly state: GoogleState;

  constructor(state: GoogleState) {
    this.state = state;
  }

  pageToken(list: OpenList, from: number): string {
    const token = this.state.newId('pageToken');
    this.pages.set(token, { list, from });
    const oldest = this.pages.keys().next().value;
    if (this.pages.size > MAX_OPEN_LISTS && oldest !== undefined) this.pages.delete(oldest);
    return token;
  }

  page(token: string, calendar: StoredCalendar): { list: OpenList; from: number } {
    const page = this.pages.get(token);
    if (page?.list.calendarId === calendar.id) return page;
    throw new ApiError({
      status: 400,
      reason: 'invalid',
      message: 'Invalid page token value.',
      location: 'pageToken',
    });
  }

  syncToken({ calendarId, upTo }: OpenList): string {
    const token = `${this.state.newId('syncToken')}=`;
    this.points.set(token, { calendarId, upTo, madeAt: this.state.clock.millis() });
    return token;
  }

  /** The last change the holder of the token knows of. */
  since(token: string, calendar: StoredCalendar): number {
    const point = this.points.get(token);
    const oldest = this.state.clock.millis() - SYNC_TOKEN_TTL;
    if (point?.calendarId === calendar.id && point.madeAt >= oldest) return point.upTo;
    throw new ApiError({
      status: 410,
      reason: 'fullSyncRequired',
      domain: 'calendar',
      message: 'Sync token is no longer valid, a full sync is required.',
      location: 'syncToken',
    });
  }

  expireSyncTokens(): void {
    this.points.clear();
  }
}
