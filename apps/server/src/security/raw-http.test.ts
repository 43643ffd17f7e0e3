import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { accounts } from '@lessonbook/contract/accounts';
import { WAIT_TIMEOUT_MS } from '@lessonbook/fakes/shared/test-timeouts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTutor } from '../test/create-tutor.ts';
import { startTestApp, type TestApp } from '../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

/** Sends raw bytes and returns everything the server writes until it closes the connection. */
function sendRawBytes(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let received = '';
    const finish = () => resolve(received);
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => (received += String(chunk)));
    socket.on('close', finish);
    socket.on('error', finish);
    socket.setTimeout(WAIT_TIMEOUT_MS, () => socket.destroy());
  });
}

const statusesIn = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

const request = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const HOST = 'Host: book.example';
const CONNECTION_CLOSE = 'Connection: close';

describe('[V4.2.1] request smuggling', () => {
  const smuggled = request('GET /healthz HTTP/1.1', HOST, CONNECTION_CLOSE);
  test.each([
    ['both lengths', ['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`],
    ['two lengths', ['Content-Length: 0', `Content-Length: ${smuggled.length}`], smuggled],
    ['a length with a sign', ['Content-Length: +0'], smuggled],
    ['a list of lengths', [`Content-Length: 0, ${smuggled.length}`], smuggled],
    ['an unknown transfer encoding', ['Transfer-Encoding: xchunked'], smuggled],
    ['another encoding after chunked', ['Transfer-Encoding: chunked, identity'], smuggled],
    ['a space before the colon', ['Transfer-Encoding : chunked'], `0\r\n\r\n${smuggled}`],
    ['a folded line', ['X-Folded: a', ' Content-Length: 0'], smuggled],
  ])(
    'a request with %s is rejected, and the rest of the connection is not processed',
    async (_, lines, rest) => {
      const head = request(
        'POST /api/login HTTP/1.1',
        HOST,
        'Content-Type: application/json',
        ...lines,
      );
      expect(statusesIn(await sendRawBytes(head + rest))).toEqual([400]);
    },
  );

  test('two well-formed requests on one connection both get a response', async () => {
    const first = request('POST /api/login HTTP/1.1', HOST, 'Content-Length: 0');
    expect(statusesIn(await sendRawBytes(first + smuggled))).toEqual([403, 200]);
  });

  test.each([
    ['no host', ['GET /healthz HTTP/1.1', CONNECTION_CLOSE]],
    ['a bare line feed in a header name', ['GET /healthz HTTP/1.1', HOST, 'X-A\nB: c']],
    ['a NUL in a header value', ['GET /healthz HTTP/1.1', HOST, 'X-A: b\0c']],
    ['more than 16 kB of headers', ['GET /healthz HTTP/1.1', HOST, `X-A: ${'a'.repeat(20_000)}`]],
  ])('%s is rejected', async (_, lines) => {
    const [status = 0] = statusesIn(await sendRawBytes(request(...lines)));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });
});

describe('methods', () => {
  test.each(['TRACE', 'TRACK', 'CONNECT', 'DEBUG', 'PROPFIND', 'PATCH'])(
    '[V13.4.4] %s is rejected, and the response does not echo the request',
    async (method) => {
      const received = await sendRawBytes(
        request(`${method} /api/me HTTP/1.1`, HOST, CONNECTION_CLOSE, 'X-Canary: canary'),
      );
      for (const status of statusesIn(received)) expect(status).toBeGreaterThanOrEqual(400);
      expect(received).not.toContain('canary');
    },
  );

  test('[V3.5.3] GET changes nothing, even with a method override', async () => {
    const { browser, input } = await createTutor(app);
    const before = (await browser.call(accounts.me)).body;
    const getEndpoints = app.http.endpoints.filter(
      ({ method, file, redirects }) =>
        method === 'GET' && file !== 'text/event-stream' && !redirects,
    );
    expect(getEndpoints.length).toBeGreaterThan(30);
    for (const endpoint of getEndpoints) {
      const path = endpoint.path.replace(/:\w+/g, '1');
      await browser.send('GET', path, undefined, { 'x-http-method-override': 'DELETE' });
      await browser.send('GET', `${path}?_method=DELETE`);
      await browser.send('HEAD', path);
    }
    const after = (await browser.call(accounts.me)).body;
    expect(after).toEqual(before);
    const overridden = await browser.send(
      'POST',
      '/api/me',
      { name: 'Other', email: input.email },
      {
        'x-http-method-override': 'PUT',
      },
    );
    expect(overridden.status).toBe(404);
  });
});

describe('bodies', () => {
  const big = `{"username":"${'a'.repeat(257 * 1024)}","password":"b"}`;

  test('[V5.2.1, V15.2.2] above the size limit are rejected by every public endpoint', async () => {
    const endpoints = app.http.endpoints.filter(
      ({ body, largeBody, signed, access }) => body && !largeBody && !signed && access === 'public',
    );
    expect(endpoints.length).toBeGreaterThan(5);
    for (const { method, path } of endpoints) {
      const response = await app.browser().send(method, path.replace(/:\w+/g, '1'), big);
      expect([path, response.status]).toEqual([path, 413]);
    }
  });

  test('[V5.2.1] above the limit are also rejected for file uploads and without a Content-Length', async () => {
    const { browser } = await createTutor(app);
    const file = { kind: 'students', text: 'a'.repeat(3 * 1024 * 1024) };
    expect((await browser.send('POST', '/api/import/preview', file)).status).toBe(413);
    const chunk = `${(300 * 1024).toString(16)}\r\n${'a'.repeat(300 * 1024)}\r\n0\r\n\r\n`;
    const head = request(
      'POST /api/login HTTP/1.1',
      HOST,
      'Origin: http://127.0.0.1:1',
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    );
    expect(statusesIn(await sendRawBytes(head + chunk))).toEqual([413]);
  });

  test('a client that is still sending a body above the limit gets the response, not a closed connection', async () => {
    // The client runs in its own process, so that the server can respond while the client is still sending.
    const script = `
      const { request } = require('node:http');
      const body = Buffer.alloc(6 * 1024 * 1024, 'a');
      const headers = { 'content-type': 'application/json', origin: 'http://127.0.0.1:1' };
      const send = () => new Promise((resolve) => {
        request(process.argv[1], { method: 'POST', headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).on('error', resolve).end(body);
      });
      (async () => {
        for (let count = 0; count < 10; count += 1) console.log(String(await send()));
      })();`;
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ['-e', script, `${app.url}/api/login`]);
    expect(stdout.trim().split('\n')).toEqual(Array.from({ length: 10 }, () => '413'));
  });

  test('a body whose declared length is above the limit is rejected before it arrives', async () => {
    const head = request(
      'POST /api/login HTTP/1.1',
      HOST,
      'Origin: http://127.0.0.1:1',
      'Content-Type: application/json',
      'Content-Length: 1000000',
    );
    expect(statusesIn(await sendRawBytes(head))).toEqual([413]);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/json+evil',
    'text/html; application/json',
  ])(
    '[V3.5.2] of type %s are rejected, because other sites can send some of these types without a preflight',
    async (type) => {
      const { browser } = await createTutor(app);
      const body =
        '{"emailNotifications":false,"lessonReminders":false,"paymentNotifications":false}';
      const response = await browser.send('PUT', '/api/notification-settings', body, {
        'content-type': type,
      });
      expect(response.status).toBe(415);
      expect((await browser.call(accounts.notificationSettings)).body.lessonReminders).toBe(true);
    },
  );

  test('are never decompressed, so zip bombs have no effect', async () => {
    const response = await app.browser().send('POST', '/api/login', '{}', {
      'content-encoding': 'gzip',
    });
    // The body is parsed as plain JSON with missing fields.
    expect(response.status).toBe(400);
  });
});

describe('duplicate parameters', () => {
  test('[V15.3.7] in a query string are rejected', async () => {
    const { browser } = await createTutor(app);
    for (const path of [
      '/api/activity?limit=1&limit=2',
      '/api/reports/earnings?period=last_month&period=this_month',
      '/api/sessions?from=2026-11-01&from=2026-11-02&to=2026-11-03',
      '/api/activity?limit=1&limit=x',
    ]) {
      const { status } = await browser.send('GET', path);
      expect([path, status]).toEqual([
        path,
        expect.toSatisfy((code: number) => code === 400 || code === 404),
      ]);
    }
  });

  test('[V15.3.7] query parameters and headers do not replace a missing body field', async () => {
    const path = '/api/login?username=ada&password=correct%20horse';
    const response = await app.browser().send('POST', path, {}, { username: 'ada', password: 'x' });
    expect(response.status).toBe(400);
    expect(response.error.message).toBe('Username is required');
  });

  test('a forged cookie alongside the real one is rejected', async () => {
    const { browser } = await createTutor(app);
    const token = browser.cookies.get('lessonbook') ?? '';
    const responses = await Promise.all(
      [`lessonbook=forged; lessonbook=${token}`, `lessonbook=; lessonbook=forged`].map((cookie) =>
        app.browser().send('GET', '/api/me', undefined, { cookie }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual([401, 401]);
  });
});
