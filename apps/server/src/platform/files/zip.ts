import { Zip, ZipDeflate } from 'fflate';

const CHUNK_BYTES = 1024 * 1024;

/** Packs files one after the other and hands the result on in pieces of a megabyte, so that it is never held whole. */
export class ZipWriter {
  readonly #write: (piece: Buffer) => Promise<void>;
  readonly #zip: Zip;
  readonly #now: Date;
  #packed: Uint8Array[] = [];
  #bufferedBytes = 0;
  #error: Error | null = null;

  constructor(now: Date, write: (piece: Buffer) => Promise<void>) {
    this.#now = now;
    this.#write = write;
    this.#zip = new Zip((error, data) => {
      if (error) this.#error = error;
      this.#packed.push(data);
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

  async #flush(atLeast: number): Promise<void> {
    if (this.#error) throw this.#error;
    if (this.#bufferedBytes < atLeast) return;
    const all = Buffer.concat(this.#packed);
    const whole = atLeast === CHUNK_BYTES ? all.length - (all.length % CHUNK_BYTES) : all.length;
    for (let at = 0; at < whole; at += CHUNK_BYTES)
      await this.#write(all.subarray(at, Math.min(at + CHUNK_BYTES, whole)));
    const rest = all.subarray(whole);
    this.#packed = rest.length > 0 ? [rest] : [];
    this.#bufferedBytes = rest.length;
  }
}
