import { ApiError, badRequest, emptyRange, invalid } from './error-response.ts';
import { RFC3339 } from './event-time.ts';
import { SYNC_TOKEN_TTL } from './list-tokens.ts';
import { isTimeZone } from './time-zones.ts';

export interface ListParams {
  pageToken: string | null;
  syncToken: string | null;
  maxResults: number;
  timeMin: number | null;
  timeMax: number | null;
  updatedMin: number | null;
  showDeleted: boolean;
  singleEvents: boolean;
  orderBy: 'startTime' | 'updated' | null;
  search: string | null;
  iCalUID: string | null;
  timeZone: string | null;
  privateProperties: string[];
  sharedProperties: string[];
}

const NOT_WITH_SYNC_TOKEN = [
  'iCalUID',
  'orderBy',
  'privateExtendedProperty',
  'q',
  'sharedExtendedProperty',
  'timeMin',
  'timeMax',
  'updatedMin',
];

export function parseListParams(query: URLSearchParams, now: number): ListParams {
  const syncToken = query.get('syncToken');
  if (syncToken !== null) assertAllowedWithSyncToken(query);
  const params: ListParams = {
    pageToken: query.get('pageToken'),
    syncToken,
    maxResults: parseCount(query, 'maxResults', 250),
    timeMin: parseTime(query, 'timeMin'),
    timeMax: parseTime(query, 'timeMax'),
    updatedMin: parseTime(query, 'updatedMin'),
    showDeleted: parseBoolean(query, 'showDeleted') ?? false,
    singleEvents: parseBoolean(query, 'singleEvents') ?? false,
    orderBy: parseOrder(query),
    search: query.get('q'),
    iCalUID: query.get('iCalUID'),
    timeZone: query.get('timeZone'),
    privateProperties: query.getAll('privateExtendedProperty'),
    sharedProperties: query.getAll('sharedExtendedProperty'),
  };
  if (params.timeZone !== null && !isTimeZone(params.timeZone)) {
    throw invalid('Invalid time zone.', 'timeZone');
  }
  if (params.timeMin !== null && params.timeMax !== null && params.timeMin >= params.timeMax) {
    throw emptyRange();
  }
  if (params.orderBy === 'startTime' && !params.singleEvents) {
    throw badRequest('The requested ordering is not available for the particular query.');
  }
  if (params.updatedMin !== null && params.updatedMin < now - SYNC_TOKEN_TTL)
    throw updatedMinTooOld();
  return params;
}

function assertAllowedWithSyncToken(query: URLSearchParams): void {
  const hasRestriction = NOT_WITH_SYNC_TOKEN.some((name) => query.has(name));
  if (hasRestriction || query.get('showDeleted') === 'false') {
    throw badRequest('Sync token cannot be used with other request restrictions.');
  }
}

function updatedMinTooOld(): ApiError {
  return new ApiError({
    status: 410,
    reason: 'updatedMinTooLongAgo',
    domain: 'calendar',
    message: 'The requested minimum modification time lies too far in the past.',
    location: 'updatedMin',
  });
}

function parseTime(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  const instant = RFC3339.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(instant)) throw badRequest('Bad Request');
  return instant;
}

function parseBoolean(query: URLSearchParams, name: string): boolean | null {
  const text = query.get(name);
  if (text === null) return null;
  if (text !== 'true' && text !== 'false') throw invalid(`Invalid boolean value: '${text}'.`, name);
  return text === 'true';
}

function parseCount(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) {
    throw invalid(
      `Invalid value '${text}'. Values must be within the range: [1, 2147483647]`,
      name,
    );
  }
  return count;
}

function parseOrder(query: URLSearchParams): ListParams['orderBy'] {
  const text = query.get('orderBy');
  if (text === null || text === 'startTime' || text === 'updated') return text;
  throw invalid(`Invalid string value: '${text}'. Allowed values: [startTime, updated]`, 'orderBy');
}
