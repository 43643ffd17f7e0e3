import { Zip, ZipDeflate } from 'fflate';

const PIECE = 1024 * 1024;

/** Packs files one after the other and hands the result on in pieces of a megabyte, so that it is never held whole. */
export class ZipWriter {
  readonly #write: (piece: Buffer) => Promise<void>;
  readonly #zip: Zip;
  readonly #now: Date;
  #packed: Uint8Array[] = [];
  #waiting = 0;
  #fault: Error | null = null;

  constructor(now: Date, write: (piece: Buffer) => Promise<void>) {
    this.#now = now;
    this.#write = write;
    this.#zip = new Zip((error, data) => {
      if (error) this.#fault = error;
      this.#packed.push(data);
      this.#waiting += data.length;
    });
  }

  async add(name: string, parts: AsyncIterable<string> | Iterable<string>): Promise<void> {
    const file = new ZipDeflate(name, { level: 6 });
    file.mtime = this.#now;
    this.#zip.add(file);
    for await (const part of parts) {
      file.push(Buffer.from(part, 'utf8'));
      await this.#handOn(PIECE);
    }
    file.push(new Uint8Array(0), true);
    await this.#handOn(PIECE);
  }

  async finish(): Promise<void> {
    this.#zip.end();
    await this.#handOn(1);
  }

  async #handOn(atLeast: number): Promise<void> {
    if (this.#fault) throw this.#fault;
    if (this.#waiting < atLeast) return;
    const all = Buffer.concat(this.#packed);
    const whole = atLeast === PIECE ? all.length - (all.length % PIECE) : all.length;
    for (let at = 0; at < whole; at += PIECE)
      await this.#write(all.subarray(at, Math.min(at + PIECE, whole)));
    const rest = all.subarray(whole);
    this.#packed = rest.length > 0 ? [rest] : [];
    this.#waiting = rest.length;
  }
}
