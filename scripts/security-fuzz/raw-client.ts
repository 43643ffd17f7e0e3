import { Agent, type IncomingHttpHeaders, request } from 'node:http';

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

/** Reading an event stream, which never ends, stops after this time. */
const STREAM_READ_MS = 60;
const TIMEOUT_MS = 60_000;

export class RawClient {
  readonly #agent: Agent;
  readonly #port: number;

  constructor(url: string, connections: number) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    this.#port = Number(new URL(url).port);
  }

  /**
   * Sends the path without normalising it. If the server has just closed the connection, sends the request once more over a
   * new one, because the server may have closed the other idle connections too.
   */
  async send(rawRequest: RawRequest): Promise<RawResponse> {
    try {
      return await this.#sendOnce(rawRequest, this.#agent);
    } catch (error) {
      if (!/ECONNRESET|EPIPE|socket hang up/.test(String(error))) throw error;
      return this.#sendOnce(rawRequest, false);
    }
  }

  #sendOnce(
    { method, path, headers, body }: RawRequest,
    agent: Agent | false,
  ): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      const start = performance.now();
      // Without Content-Length, the server would read the body of a HEAD or GET request as the next request.
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const clientRequest = request(
        {
          host: '127.0.0.1',
          port: this.#port,
          method,
          path,
          headers: { ...headers, ...length },
          agent,
        },
        (response) => {
          const chunks: Buffer[] = [];
          const finish = () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks),
              ms: performance.now() - start,
            });
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', finish);
          if (response.headers['content-type'] === 'text/event-stream')
            setTimeout(() => {
              finish();
              response.destroy();
            }, STREAM_READ_MS);
          response.on('error', reject);
        },
      );
      clientRequest.setTimeout(TIMEOUT_MS, () =>
        clientRequest.destroy(new Error(`no response in ${TIMEOUT_MS} ms`)),
      );
      clientRequest.on('error', reject);
      clientRequest.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
