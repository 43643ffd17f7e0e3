import type { Compose, Service } from './parse-compose-file.ts';

export interface PlantedFault {
  readonly dockerfile?: (source: string) => string;
  readonly compose?: (service: Service) => Service;
  /** Matches the error message of the check. */
  readonly expected: RegExp;
}

/** Faults that the check must find. */
export const PLANTED_FAULTS: Record<string, PlantedFault> = {
  'root-user': {
    dockerfile: replace('USER node', 'USER root'),
    expected: /the image must not run as root/,
  },
  'root-in-compose': {
    compose: (service) => ({ ...service, user: 'root' }),
    expected: /must run as the user 1000/,
  },
  'writable-root': {
    compose: (service) => ({ ...service, read_only: false }),
    expected: /only \/tmp may be writable/,
  },
  'executable-tmp': {
    compose: (service) => ({ ...service, tmpfs: ['/tmp:exec'] }),
    expected: /\/tmp must be noexec/,
  },
  capabilities: {
    compose: (service) => ({ ...service, cap_drop: [] }),
    expected: /must have no capabilities/,
  },
  'new-privileges': {
    compose: (service) => ({ ...service, security_opt: [] }),
    expected: /must not be able to gain privileges/,
  },
  'no-health-check': {
    dockerfile: (source) => source.replace(/^HEALTHCHECK .*$/m, ''),
    expected: /must have a health check/,
  },
  'useless-health-check': {
    dockerfile: replace('reply.ok ? 0 : 1), () => process.exit(1)', '0), () => process.exit(0)'),
    expected: /without a server it must be unhealthy/,
  },
  'no-migrations': {
    dockerfile: replace('COPY apps/server/migrations apps/server/migrations\n', ''),
    expected: /every source and migration must be in the image/,
  },
  'no-pages': {
    dockerfile: replace('COPY --from=web /app/apps/web/dist web\n', ''),
    expected: /the built web pages must be in the image/,
  },
  'development-packages': {
    dockerfile: replace(
      'COPY --from=server /app/node_modules',
      'COPY --from=web /app/node_modules',
    ),
    expected: /production packages only/,
  },
  'too-large': {
    dockerfile: replace(
      'USER node\n',
      'COPY --from=web /app/node_modules /opt/node_modules\nUSER node\n',
    ),
    expected: /the budget is/,
  },
};

function replace(from: string, to: string): (source: string) => string {
  return (source) => {
    if (!source.includes(from)) throw new Error(`the Dockerfile has no ${from}`);
    return source.replace(from, to);
  };
}

export const plantInCompose = (compose: Compose, fault: PlantedFault): Compose => ({
  ...compose,
  services: Object.fromEntries(
    Object.entries(compose.services).map(([name, service]) => [
      name,
      fault.compose?.(service) ?? service,
    ]),
  ),
});
