import { ApiError } from './error-response.ts';
import type { GoogleState, StoredCalendar } from './state.ts';

const DAY = 86_400_000;
/** Undocumented by Google; a few weeks in practice. */
export const SYNC_TOKEN_TTL = 28 * DAY;
const MAX_OPEN_LISTS = 2_000;

/** A paged list, with the ids that matched when its first page was requested. */
export interface OpenList {
  calendarId: string;
  ids: string[];
  /** The last included revision; the next incremental list continues after it. */
  lastRevision: number;
  showDeleted: boolean;
  zone: string;
  /** Whether the last page has a sync token. */
  hasSyncToken: boolean;
}

interface SyncPoint {
  calendarId: string;
  lastRevision: number;
  createdAt: number;
}

/** Issues and resolves page tokens and sync tokens. */
export class ListTokens {
  private readonly pages = new Map<string, { list: OpenList; from: number }>();
  private readonly syncPoints = new Map<string, SyncPoint>();
  private readonly state: GoogleState;

  constructor(state: GoogleState) {
    this.state = state;
  }

  createPageToken(list: OpenList, from: number): string {
    const token = this.state.newId('pageToken');
    this.pages.set(token, { list, from });
    const oldest = this.pages.keys().next().value;
    if (this.pages.size > MAX_OPEN_LISTS && oldest !== undefined) this.pages.delete(oldest);
    return token;
  }

  findPage(token: string, calendar: StoredCalendar): { list: OpenList; from: number } {
    const page = this.pages.get(token);
    if (page?.list.calendarId === calendar.id) return page;
    throw new ApiError({
      status: 400,
      reason: 'invalid',
      message: 'Invalid page token value.',
      location: 'pageToken',
    });
  }

  createSyncToken({ calendarId, lastRevision }: OpenList): string {
    const token = `${this.state.newId('syncToken')}=`;
    this.syncPoints.set(token, { calendarId, lastRevision, createdAt: this.state.clock.millis() });
    return token;
  }

  /** The last revision that the token covers. */
  findSyncRevision(token: string, calendar: StoredCalendar): number {
    const point = this.syncPoints.get(token);
    const oldest = this.state.clock.millis() - SYNC_TOKEN_TTL;
    if (point?.calendarId === calendar.id && point.createdAt >= oldest) return point.lastRevision;
    throw new ApiError({
      status: 410,
      reason: 'fullSyncRequired',
      domain: 'calendar',
      message: 'Sync token is no longer valid, a full sync is required.',
      location: 'syncToken',
    });
  }

  expireSyncTokens(): void {
    this.syncPoints.clear();
  }
}
