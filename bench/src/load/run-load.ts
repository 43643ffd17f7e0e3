import { Connection } from './http-connection.ts';

export interface LoadOptions {
  port: number;
  clients: number;
  seconds: number;
  /** Returns the text of the next request; any client may send it. */
  next: () => string;
  expectedStatus: number;
}

export interface LoadResult {
  seconds: number;
  /** Latencies in milliseconds. */
  samples: number[];
}

/** Each client sends its next request as soon as it has the previous response, until the time is up. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const connections = await openAll(options.port, options.clients);
  const samples: number[] = [];
  const start = performance.now();
  const end = start + options.seconds * 1000;
  try {
    await Promise.all(
      connections.map(async (connection) => {
        for (let sent = performance.now(); sent < end; ) {
          const response = await connection.send(options.next());
          const received = performance.now();
          if (response.status !== options.expectedStatus) {
            throw new Error(`The API returned ${response.status}: ${response.body.slice(0, 500)}`);
          }
          samples.push(received - sent);
          sent = received;
        }
      }),
    );
    return { samples, seconds: (performance.now() - start) / 1000 };
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** Sends each request once. */
export async function sendAll(
  port: number,
  clients: number,
  requests: readonly string[],
): Promise<void> {
  const connections = await openAll(port, clients);
  const remaining = requests.values();
  try {
    await Promise.all(
      connections.map(async (connection) => {
        for (const request of remaining) {
          const { status, body } = await connection.send(request);
          if (status !== 200) throw new Error(`The API returned ${status}: ${body.slice(0, 500)}`);
        }
      }),
    );
  } finally {
    for (const connection of connections) connection.close();
  }
}

const openAll = (port: number, clients: number): Promise<Connection[]> =>
  Promise.all(Array.from({ length: clients }, () => Connection.open(port)));
