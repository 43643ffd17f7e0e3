import type { Form, FormValue } from './form-encoding.ts';
import type { Collection, PageParams } from './paged-collection.ts';
import { toText } from './parse-form-fields.ts';

export interface V1List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

/** A v1 list: one page of a collection, filtered by the query. */
export function listV1<T extends { id: string; created: number }>(
  collection: Collection<T>,
  url: string,
  params: Form,
  fields: readonly (keyof T & string)[] = [],
  matches: (item: T) => boolean = () => true,
): V1List<T> {
  const isInRange = timeFilter(params['created'], Number);
  const filters = fields
    .map((field) => [field, toText(params[field])] as const)
    .filter((pair): pair is readonly [keyof T & string, string] => pair[1] !== null);
  const page = collection.page(
    parsePageParams(params),
    (item) =>
      isInRange(item.created) &&
      filters.every(([field, value]) => item[field] === value) &&
      matches(item),
  );
  return { object: 'list', url, ...page };
}

function parsePageParams(params: Form): PageParams {
  return {
    limit: toText(params['limit']) ?? undefined,
    starting_after: toText(params['starting_after']) ?? undefined,
    ending_before: toText(params['ending_before']) ?? undefined,
  };
}

export function timeFilter(
  value: FormValue | undefined,
  toNumber: (text: string) => number,
): (time: number) => boolean {
  if (value === undefined || Array.isArray(value)) return () => true;
  if (typeof value === 'string') return (time) => time === toNumber(value);
  const bound = (name: string) => {
    const text = toText(value[name]);
    return text === null ? null : toNumber(text);
  };
  const [gt, gte, lt, lte] = [bound('gt'), bound('gte'), bound('lt'), bound('lte')];
  return (time) =>
    (gt === null || time > gt) &&
    (gte === null || time >= gte) &&
    (lt === null || time < lt) &&
    (lte === null || time <= lte);
}

export interface V2List<T> {
  data: T[];
  next_page_url: string | null;
  previous_page_url: string | null;
}

/** A v2 list: clients follow the page URLs. */
export function listV2<T>(newestFirst: readonly T[], path: string, params: Form): V2List<T> {
  const limit = Math.min(Math.max(Number(toText(params['limit']) ?? 20), 1), 100);
  const from = Number(toText(params['page'])?.replace('page_', '') ?? 0);
  const { page: _page, ...rest } = params;
  const pageUrl = (offset: number) => {
    const query = new URLSearchParams(flatten(rest));
    query.set('page', `page_${offset}`);
    return `${path}?${query.toString()}`;
  };
  return {
    data: newestFirst.slice(from, from + limit),
    next_page_url: from + limit < newestFirst.length ? pageUrl(from + limit) : null,
    previous_page_url: from > 0 ? pageUrl(Math.max(0, from - limit)) : null,
  };
}

function flatten(value: FormValue, name = ''): [string, string][] {
  if (typeof value === 'string') return [[name, value]];
  return Object.entries(value).flatMap(([key, each]: [string, FormValue]) =>
    flatten(each, name === '' ? key : `${name}[${key}]`),
  );
}

export function toStrings(value: FormValue | undefined): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
