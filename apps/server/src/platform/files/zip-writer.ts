import { Zip, ZipDeflate } from 'fflate';

const CHUNK_BYTES = 1024 * 1024;

/**
 * Compresses files one at a time and writes the archive in chunks of 1 MiB, so that the whole archive is never held in
 * memory.
 */
export class ZipWriter {
  readonly #write: (chunk: Buffer) => Promise<void>;
  readonly #zip: Zip;
  readonly #now: Date;
  #buffered: Uint8Array[] = [];
  #bufferedBytes = 0;
  #error: Error | null = null;

  constructor(now: Date, write: (chunk: Buffer) => Promise<void>) {
    this.#now = now;
    this.#write = write;
    this.#zip = new Zip((error, data) => {
      if (error) this.#error = error;
      this.#buffered.push(data);
      this.#bufferedBytes += data.length;
    });
  }

  async add(name: string, parts: AsyncIterable<string> | Iterable<string>): Promise<void> {
    const file = new ZipDeflate(name, { level: 6 });
    file.mtime = this.#now;
    this.#zip.add(file);
    for await (const part of parts) {
      file.push(Buffer.from(part, 'utf8'));
      await this.#flush(CHUNK_BYTES);
    }
    file.push(new Uint8Array(0), true);
    await this.#flush(CHUNK_BYTES);
  }

  async finish(): Promise<void> {
    this.#zip.end();
    await this.#flush(1);
  }

  async #flush(minBytes: number): Promise<void> {
    if (this.#error) throw this.#error;
    if (this.#bufferedBytes < minBytes) return;
    const all = Buffer.concat(this.#buffered);
    const length = minBytes === CHUNK_BYTES ? all.length - (all.length % CHUNK_BYTES) : all.length;
    for (let offset = 0; offset < length; offset += CHUNK_BYTES)
      await this.#write(all.subarray(offset, Math.min(offset + CHUNK_BYTES, length)));
    const rest = all.subarray(length);
    this.#buffered = rest.length > 0 ? [rest] : [];
    this.#bufferedBytes = rest.length;
  }
}
