import type { IdFormat } from '../shared/seeded-random-and-ids.ts';

const HEX = '0123456789abcdef';
const BASE32HEX = '0123456789abcdefghijklmnopqrstuv';

export const ID_FORMATS = {
  calendar: ['c_', 64, HEX],
  event: ['', 26, BASE32HEX],
  code: ['4/0A', 69],
  accessToken: ['ya29.a0A', 210],
  refreshToken: ['1//0', 99],
  consent: ['', 32],
  resource: ['', 27],
  pageToken: ['Eio', 60],
  syncToken: ['CP', 44],
  meeting: ['', 10, 'abcdefghijklmnopqrstuvwxyz'],
} as const satisfies Record<string, IdFormat>;

export type IdKind = keyof typeof ID_FORMATS;
