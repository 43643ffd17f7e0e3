import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { type Mailbox, startMailbox } from '@lessonbook/fakes/mailbox';
import { type Postgres, startPostgres } from '@lessonbook/test-env/postgres';
import { startTcpProxy } from '@lessonbook/test-env/tcp-proxy';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import pg from 'pg';
import { checkNothingWritten, checkPrivileges } from './check-privileges.ts';
import { RunningContainer, runContainer } from './container.ts';
import type { Engine } from './container-engine.ts';
import { type ContainerNetwork, createContainerNetwork } from './container-network.ts';
import { exerciseApp } from './exercise-app.ts';
import { type Compose, resolveEnvironment, type Service } from './parse-compose-file.ts';

/** Long enough for a cold page cache and a busy machine. */
const TIMEOUT_MS = 120_000;
/** The image's default port, in every container. */
const PORT = 3000;

interface CheckOptions {
  readonly engine: Engine;
  readonly image: string;
  readonly compose: Compose;
  readonly log: (line: string) => void;
}

/** Runs the services of compose.yaml that use our image, against a real PostgreSQL and mail server, and uses them. */
export async function checkImage({ engine, image, compose, log }: CheckOptions): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const network = await createContainerNetwork();
  stack.defer(() => network.remove());
  stack.defer(async () => void (await engine.podman('rm', '--all', '--force')));
  const postgres = await startPostgres();
  stack.defer(() => postgres.stop());
  const mailbox = await startMailbox();
  stack.defer(() => mailbox.stop());
  const operatorEnv = await createEnvironment(network, postgres, mailbox, stack);

  /** Prepares a service in its own network. Its address is known before it starts, because the API needs it. */
  const prepare = async (name: string, overrides: Partial<Service> = {}) => {
    const service: Service = { ...(compose.services[name] as Service), ...overrides };
    const { namespace, address } = await network.add(overrides.command ? 'idle' : name);
    const url = `http://${address}:${PORT}`;
    const env = resolveEnvironment(service, { ...operatorEnv, APP_URL: url });
    const options = { engine, image, name: `check-${name}`, service, env, namespace };
    return { options, url };
  };
  const start = (options: Parameters<typeof runContainer>[0]) => {
    const container = new RunningContainer(options);
    stack.defer(() => container.kill());
    return container;
  };

  for (const name of ['roles', 'migrate']) {
    const { options } = await prepare(name);
    const { code, output } = await runContainer(options);
    assert.equal(code, 0, `${name} must succeed: ${output}`);
    log(`${name} ended with 0`);
  }

  const api = await prepare('api');
  const worker = await prepare('worker');
  worker.options.env['APP_URL'] = api.url;
  const running = await Promise.all(
    [api, worker].map(async ({ options, url }) => {
      const container = start(options);
      await waitUntilReady(container, url);
      return container;
    }),
  );
  log('the API and the worker answer /readyz');

  for (const container of running) await checkPrivileges(container);
  log('both run as the user 1000, without capabilities, and can write only to /tmp');
  for (const container of running)
    assert.equal(await container.runHealthCheck(), 0, `${container.name} must be healthy`);
  const idle = await prepare('api', { command: ['node', '-e', 'setInterval(() => {}, 60_000)'] });
  const idleContainer = start({ ...idle.options, name: 'check-idle' });
  await waitUntil(
    () => idleContainer.isRunning(),
    () => 'the idle container did not start',
    TIMEOUT_MS,
  );
  assert.equal(await idleContainer.runHealthCheck(), 1, 'without a server it must be unhealthy');
  log('the health check passes for both, and fails without a server');

  const admin = new pg.Client(withDatabase(postgres.adminUrl, 'lessonbook'));
  await admin.connect();
  try {
    await exerciseApp(api.url, mailbox, admin, log);
  } catch (error) {
    for (const container of running) log(await container.logs());
    throw error;
  } finally {
    await admin.end();
  }

  for (const container of running) {
    const report = await checkPrivileges(container);
    await checkNothingWritten(container);
    const largest = (field: string) =>
      Math.max(...report.processes.map((status) => Number.parseInt(status[field] ?? '0', 10)));
    log(
      `${container.name} after use: nothing written, ${report.temporaryFiles.length} files in /tmp ` +
        `(${report.temporaryBytes} bytes), ${Math.round(largest('VmHWM') / 1000)} MB of memory and ${largest('Threads')} threads at most`,
    );
  }
  for (const container of running)
    assert.equal(await container.stop(), 0, `${container.name} must end with 0 on SIGTERM`);
  log('the API and the worker end with 0 on SIGTERM');
}

async function waitUntilReady(container: RunningContainer, url: string): Promise<void> {
  await waitUntil(
    async () => {
      const output = container.outputOfEnded;
      if (output !== null)
        throw new Error(`${container.name} ended before it was ready: ${output}`);
      const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(
        () => null,
      );
      return response?.status === 200;
    },
    () => `${container.name} is not ready`,
    TIMEOUT_MS,
  );
}

function withDatabase(address: string, database: string): string {
  const url = new URL(address);
  url.pathname = `/${database}`;
  return url.href;
}

/** What an operator writes into .env, with the addresses of our PostgreSQL and mail server as a container sees them. */
async function createEnvironment(
  network: ContainerNetwork,
  postgres: Postgres,
  mailbox: Mailbox,
  stack: AsyncDisposableStack,
): Promise<Record<string, string>> {
  const forward = async (address: string): Promise<URL> => {
    const url = new URL(address);
    const proxy = await startTcpProxy(Number(url.port), network.hostAddress);
    stack.defer(() => proxy.close());
    url.hostname = network.hostAddress;
    url.port = String(proxy.port);
    return url;
  };
  const adminUrl = await forward(postgres.adminUrl);
  const smtpUrl = await forward(mailbox.smtpUrl);
  const forRole = (role: string) => {
    const url = new URL(withDatabase(adminUrl.href, 'lessonbook'));
    url.username = role;
    url.password = randomBytes(18).toString('base64url');
    return url.href;
  };
  return {
    DATABASE_ADMIN_URL: adminUrl.href,
    DATABASE_URL: forRole('lessonbook_app'),
    DATABASE_OWNER_URL: forRole('lessonbook_owner'),
    DATABASE_MAINTENANCE_URL: forRole('lessonbook_maintenance'),
    SMTP_URL: smtpUrl.href,
    MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
    SECRET_KEY: randomBytes(32).toString('base64'),
    ENCRYPTION_KEYS: `first:${randomBytes(32).toString('base64')}`,
    LOG_LEVEL: 'warn',
  };
}
