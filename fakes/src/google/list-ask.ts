import { SYNC_TOKENS_LIVE } from './list-memory.ts';
import { RFC3339 } from './moments.ts';
import { badRequest, emptyRange, invalid, Refusal } from './refusal.ts';
import { isZone } from './zones.ts';

export interface ListAsk {
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

export function readListAsk(query: URLSearchParams, now: number): ListAsk {
  const syncToken = query.get('syncToken');
  if (syncToken !== null) checkAlone(query);
  const ask: ListAsk = {
    pageToken: query.get('pageToken'),
    syncToken,
    maxResults: readCount(query, 'maxResults', 250),
    timeMin: readTime(query, 'timeMin'),
    timeMax: readTime(query, 'timeMax'),
    updatedMin: readTime(query, 'updatedMin'),
    showDeleted: readTruth(query, 'showDeleted') ?? false,
    singleEvents: readTruth(query, 'singleEvents') ?? false,
    orderBy: readOrder(query),
    search: query.get('q'),
    iCalUID: query.get('iCalUID'),
    timeZone: query.get('timeZone'),
    privateProperties: query.getAll('privateExtendedProperty'),
    sharedProperties: query.getAll('sharedExtendedProperty'),
  };
  if (ask.timeZone !== null && !isZone(ask.timeZone)) {
    throw invalid('Invalid time zone.', 'timeZone');
  }
  if (ask.timeMin !== null && ask.timeMax !== null && ask.timeMin >= ask.timeMax) {
    throw emptyRange();
  }
  if (ask.orderBy === 'startTime' && !ask.singleEvents) {
    throw badRequest('The requested ordering is not available for the particular query.');
  }
  if (ask.updatedMin !== null && ask.updatedMin < now - SYNC_TOKENS_LIVE) throw tooLongAgo();
  return ask;
}

function checkAlone(query: URLSearchParams): void {
  const refused = NOT_WITH_SYNC_TOKEN.some((name) => query.has(name));
  if (refused || query.get('showDeleted') === 'false') {
    throw badRequest('Sync token cannot be used with other request restrictions.');
  }
}

function tooLongAgo(): Refusal {
  return new Refusal({
    status: 410,
    reason: 'updatedMinTooLongAgo',
    domain: 'calendar',
    message: 'The requested minimum modification time lies too far in the past.',
    location: 'updatedMin',
  });
}

function readTime(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  const instant = RFC3339.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(instant)) throw badRequest('Bad Request');
  return instant;
}

function readTruth(query: URLSearchParams, name: string): boolean | null {
  const text = query.get(name);
  if (text === null) return null;
  if (text !== 'true' && text !== 'false') throw invalid(`Invalid boolean value: '${text}'.`, name);
  return text === 'true';
}

function readCount(query: URLSearchParams, name: string, usual: number): number {
  const text = query.get(name);
  if (text === null) return usual;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) {
    throw invalid(
      `Invalid value '${text}'. Values must be within the range: [1, 2147483647]`,
      name,
    );
  }
  return count;
}

function readOrder(query: URLSearchParams): ListAsk['orderBy'] {
  const text = query.get('orderBy');
  if (text === null || text === 'startTime' || text === 'updated') return text;
  throw invalid(`Invalid string value: '${text}'. Allowed values: [startTime, updated]`, 'orderBy');
}
