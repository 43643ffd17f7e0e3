import type { Readable } from 'node:stream';

/** What a browser saves, under a name that says what it is. */
export interface FileReply {
  readonly name: string;
  readonly body: Buffer | string;
}

/** The same, too long to be held at once. */
export interface LongFileReply {
  readonly name: string;
  readonly body: Readable;
}

/** What programs ask for again and again. `tag` changes whenever `read` would give something else. */
export interface TaggedReply {
  readonly name: string;
  readonly tag: string;
  readonly read: () => Promise<string>;
}
