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
