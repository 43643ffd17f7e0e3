import { connect, type Socket } from 'node:net';

export interface Response {
  status: number;
  body: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * A keep-alive connection for one request at a time. It uses the socket directly, because the client shares the machine
 * with the API it measures, and node:http would need several times as much processor time.
 */
export class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #pending: { resolve: (response: Response) => void; reject: (error: Error) => void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (data) => this.#onData(data));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('The API closed the connection')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('error', reject);
      socket.once('connect', () => resolve(new Connection(socket)));
    });
  }

  send(request: string): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#pending = undefined;
    this.#socket.destroy();
  }

  #onData(data: Buffer): void {
    this.#received = this.#received.length === 0 ? data : Buffer.concat([this.#received, data]);
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd === -1) return;
    const head = this.#received.toString('latin1', 0, headEnd);
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (length === undefined)
      return this.#fail(new Error(`Response without Content-Length:\n${head}`));
    const end = headEnd + HEAD_END.length + Number(length);
    if (this.#received.length < end) return;
    const body = this.#received.toString('utf8', headEnd + HEAD_END.length, end);
    this.#received = this.#received.subarray(end);
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.resolve({ status: Number(head.slice(9, 12)), body });
  }

  #fail(error: Error): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.reject(error);
  }
}
