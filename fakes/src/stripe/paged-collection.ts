import { invalidParam, noSuchObject } from './error-response.ts';

/** The objects of one type in one account, in order of creation. */
export class Collection<T extends { id: string }> {
  private readonly items: T[] = [];
  private readonly positions = new Map<string, number>();

  add(item: T): T {
    this.positions.set(item.id, this.items.length);
    this.items.push(item);
    return item;
  }

  get(id: string): T | undefined {
    const position = this.positions.get(id);
    return position === undefined ? undefined : this.items[position];
  }

  all(): readonly T[] {
    return this.items;
  }

  /** One page, newest first. */
  page(params: PageParams, matches: (item: T) => boolean): { data: T[]; has_more: boolean } {
    const limit = parseLimit(params.limit);
    const found: T[] = [];
    if (params.ending_before !== undefined) {
      const from = this.positionOf(params.ending_before, 'ending_before') + 1;
      for (let index = from; index < this.items.length && found.length <= limit; index += 1) {
        const item = this.items[index];
        if (item && matches(item)) found.push(item);
      }
      return { data: found.slice(0, limit).toReversed(), has_more: found.length > limit };
    }
    const from =
      params.starting_after === undefined
        ? this.items.length - 1
        : this.positionOf(params.starting_after, 'starting_after') - 1;
    for (let index = from; index >= 0 && found.length <= limit; index -= 1) {
      const item = this.items[index];
      if (item && matches(item)) found.push(item);
    }
    return { data: found.slice(0, limit), has_more: found.length > limit };
  }

  private positionOf(id: string, param: string): number {
    const position = this.positions.get(id);
    if (position === undefined) throw noSuchObject('object', id, param);
    return position;
  }
}

export interface PageParams {
  limit?: string | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
}

function parseLimit(value: string | undefined): number {
  if (value === undefined) return 10;
  const limit = Number(value);
  if (!Number.isInteger(limit)) {
    throw invalidParam('limit', `Invalid integer: ${value}`, 'parameter_invalid_integer');
  }
  if (limit < 1) throw invalidParam('limit', 'This value must be greater than or equal to 1.');
  if (limit > 100) throw invalidParam('limit', 'This value must be less than or equal to 100.');
  return limit;
}
