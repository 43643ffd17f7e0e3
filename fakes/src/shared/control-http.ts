import type { ServerResponse } from 'node:http';

/** `POST /_control/<name>` with `{ "args": [...] }`; a plain GET serves where there are none. */
export async function handleControl(
  control: object,
  reply: ServerResponse,
  path: string,
  body: string,
): Promise<void> {
  const name = path.replace('/_control/', '');
  if (!Object.hasOwn(control, name)) return send(reply, 404, { error: `There is no ${name}` });
  const act = (control as Record<string, (...args: unknown[]) => Promise<unknown>>)[name];
  try {
    const { args = [] } = body === '' ? {} : (JSON.parse(body) as { args?: unknown[] });
    // JSON has no undefined: an argument that was left out arrives as null.
    const given = args.map((arg) => arg ?? undefined);
    send(reply, 200, { result: await act?.(...given) });
  } catch (problem) {
    send(reply, 400, { error: problem instanceof Error ? problem.message : String(problem) });
  }
}

function send(reply: ServerResponse, status: number, body: object): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** The same control for a stand-in that runs in another process; the caller knows whose it is. */
export function remoteControl(url: string): object {
  const call = async (name: string, args: unknown[]): Promise<unknown> => {
    const answer = await fetch(`${url}/_control/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ args }),
    });
    const { result, error } = (await answer.json()) as { result?: unknown; error?: string };
    if (error !== undefined) throw new Error(error);
    return result;
  };
  return new Proxy(
    {},
    {
      get: (_nothing, name) =>
        // Awaiting the control itself must not look like a call.
        typeof name === 'string' && name !== 'then'
          ? (...args: unknown[]) => call(name, args)
          : undefined,
    },
  );
}
