import type { Readable } from 'node:stream';

export interface FileResponse {
  readonly name: string;
  readonly body: Buffer | string;
}

/** A download that is too large to hold in memory. */
export interface StreamedFileResponse {
  readonly name: string;
  readonly body: Readable;
}

/** A file that clients poll. `etag` changes whenever the content does. */
export interface EtagFileResponse {
  readonly name: string;
  readonly etag: string;
  readonly readBody: () => Promise<string>;
}

/** A proxy that compresses a response marks its ETag as weak, but it still identifies the same file. */
export const etagMatches = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));

export const withCharset = (type: string): string =>
  type.startsWith('text/') ? `${type}; charset=utf-8` : type;
