import type { Readable } from 'node:stream';

/** What a browser saves, under a name that says what it is. */
export interface FileResponse {
  readonly name: string;
  readonly body: Buffer | string;
}

/** The same, too long to be held at once. */
export interface StreamedFileResponse {
  readonly name: string;
  readonly body: Readable;
}

/** What programs ask for again and again. `tag` changes whenever `read` would give something else. */
export interface EtagFileResponse {
  readonly name: string;
  readonly etag: string;
  readonly readBody: () => Promise<string>;
}
