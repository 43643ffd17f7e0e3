import { Agent, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';

export interface PostResponse {
  /** Null if there was no response. */
  status: number | null;
  text: string;
}

/** Posts over keep-alive connections, as vendors do; a new connection per request would exhaust the ports. */
export class HttpPoster {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 });

  post(
    url: string,
    body: string,
    headers: Readonly<Record<string, string>>,
    timeoutMillis: number,
  ): Promise<PostResponse> {
    const bytes = Buffer.from(body);
    return new Promise((resolve) => {
      const secure = url.startsWith('https:');
      const request = (secure ? secureRequest : plainRequest)(url, {
        method: 'POST',
        ...(secure ? {} : { agent: this.agent }),
        timeout: timeoutMillis,
        headers: { 'content-length': bytes.length, ...headers },
      });
      const fail = (error: Error) => resolve({ status: null, text: error.message });
      request.on('timeout', () => request.destroy(new Error('timeout')));
      request.on('error', fail);
      request.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          if (text.length < 2_000) text += chunk;
        });
        response.on('error', fail);
        response.on('end', () => resolve({ status: response.statusCode ?? null, text }));
      });
      request.end(bytes);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
