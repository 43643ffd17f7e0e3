import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  service: string;
  attributes: Record<string, unknown>;
  /** 2 if the operation failed. */
  status: number;
}

/** The parts of OTLP's JSON encoding that are checked; the rest is searched as text. */
interface ExportRequest {
  resourceSpans: Array<{
    resource: { attributes: KeyValue[] };
    scopeSpans: Array<{
      spans: Array<
        Omit<Span, 'service' | 'attributes' | 'status'> & {
          attributes: KeyValue[];
          status: { code?: number };
        }
      >;
    }>;
  }>;
}
interface KeyValue {
  key: string;
  value: Record<string, unknown>;
}

/** Receives spans over OTLP/HTTP, as a collector does. */
export async function startOtlpReceiver() {
  const bodies: string[] = [];
  let isRejecting = false;
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const isExport = request.method === 'POST' && request.url === '/v1/traces';
    const isAccepted = isExport && !isRejecting;
    if (isAccepted) bodies.push(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(isAccepted ? 200 : 400, { 'content-type': 'application/json' }).end('{}');
  }
  const server = createServer((request, response) => void receive(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: (): Span[] => bodies.flatMap(parseSpans),
    /** All request bodies received so far, unparsed. */
    text: (): string => bodies.join('\n'),
    setRejecting: (rejecting: boolean) => {
      isRejecting = rejecting;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const toRecord = (attributes: readonly KeyValue[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

function parseSpans(body: string): Span[] {
  const { resourceSpans } = JSON.parse(body) as ExportRequest;
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(toRecord(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        service,
        attributes: toRecord(span.attributes),
        status: span.status.code ?? 0,
      })),
    );
  });
}
