import type { ServerResponse } from 'node:http';

/** `POST /_control/<name>` with `{ "args": [...] }`; GET works if there are no arguments. */
export async function handleControl(
  control: object,
  reply: ServerResponse,
  path: string,
  body: string,
): Promise<void> {
  const name = path.replace('/_control/', '');
  if (!Object.hasOwn(control, name))
    return send(reply, 404, { error: `No control method ${name}` });
  const method = (control as Record<string, (...args: unknown[]) => Promise<unknown>>)[name];
  try {
    const { args = [] } = body === '' ? {} : (JSON.parse(body) as { args?: unknown[] });
    // JSON has no undefined: an omitted argument arrives as null.
    const params = args.map((arg) => arg ?? undefined);
    send(reply, 200, { result: await method?.(...params) });
  } catch (error) {
    send(reply, 400, { error: error instanceof Error ? error.message : String(error) });
  }
}

function send(reply: ServerResponse, status: number, body: object): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Returns the control interface of a fake in another process; the caller casts it to the right type. */
export function remoteControl(url: string): object {
  const call = async (name: string, args: unknown[]): Promise<unknown> => {
    const response = await fetch(`${url}/_control/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ args }),
    });
    const { result, error } = (await response.json()) as { result?: unknown; error?: string };
    if (error !== undefined) throw new Error(error);
    return result;
  };
  return new Proxy(
    {},
    {
      get: (_target, name) =>
        // `await control` reads `then`, which must not become a call.
        typeof name === 'string' && name !== 'then'
          ? (...args: unknown[]) => call(name, args)
          : undefined,
    },
  );
}
