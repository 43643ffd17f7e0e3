import { Agent, type IncomingHttpHeaders, request } from 'node:http';

/** What goes over the wire, as it goes. */
export interface RawRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  ms: number;
}

/** A stream never ends: this much of it is looked at. */
const STREAM_MS = 60;
const TIMEOUT_MS = 60_000;

export class RawClient {
  readonly #agent: Agent;
  readonly #port: number;

  constructor(url: string, connections: number) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    this.#port = Number(new URL(url).port);
  }

  /** The address is sent as it stands, dots and all. A connection that was closed under us is tried once more. */
  async send(rawRequest: RawRequest): Promise<RawResponse> {
    try {
      return await this.#once(rawRequest);
    } catch (problem) {
      if (!/ECONNRESET|EPIPE|socket hang up/.test(String(problem))) throw problem;
      return this.#once(rawRequest);
    }
  }

  #once({ method, path, headers, body }: RawRequest): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      const start = performance.now();
      // Without its length, what follows a HEAD or a GET would be read as the next request.
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const sent = request(
        {
          host: '127.0.0.1',
          port: this.#port,
          method,
          path,
          headers: { ...headers, ...length },
          agent: this.#agent,
        },
        (answer) => {
          const chunks: Buffer[] = [];
          const finish = () =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              body: Buffer.concat(chunks),
              ms: performance.now() - start,
            });
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', finish);
          if (answer.headers['content-type'] === 'text/event-stream')
            setTimeout(() => {
              finish();
              answer.destroy();
            }, STREAM_MS);
          answer.on('error', reject);
        },
      );
      sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error(`no answer in ${TIMEOUT_MS} ms`)));
      sent.on('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
