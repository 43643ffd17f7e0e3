import { Agent, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';

export interface PostResponse {
  /** Null when there was no answer at all. */
  status: number | null;
  text: string;
}

/** Posts as vendors do, over connections that are kept: a storm would run out of ports. */
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
      const sending = (secure ? secureRequest : plainRequest)(url, {
        method: 'POST',
        ...(secure ? {} : { agent: this.agent }),
        timeout: timeoutMillis,
        headers: { 'content-length': bytes.length, ...headers },
      });
      const failed = (problem: Error) => resolve({ status: null, text: problem.message });
      sending.on('timeout', () => sending.destroy(new Error('no answer in time')));
      sending.on('error', failed);
      sending.on('response', (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (piece: string) => {
          if (text.length < 2_000) text += piece;
        });
        answer.on('error', failed);
        answer.on('end', () => resolve({ status: answer.statusCode ?? null, text }));
      });
      sending.end(bytes);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
