import type { Readable } from 'node:stream';

/** A download. */
export interface FileResponse {
  readonly name: string;
  readonly body: Buffer | string;
}

/** A download that is too large for memory. */
export interface StreamedFileResponse {
  readonly name: string;
  readonly body: Readable;
}

/** A file that programs poll. `etag` changes whenever the content changes. */
export interface EtagFileResponse {
  readonly name: string;
  readonly etag: string;
  readonly readBody: () => Promise<string>;
}
