import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface Service {
  image: string;
  build?: { context: string; args: Record<string, string> };
  user?: string;
  command?: string[];
  init?: boolean;
  tmpfs?: string[];
  mem_limit?: string;
  pids_limit?: number;
  stop_grace_period?: string;
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  read_only?: boolean;
  privileged?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  ports?: string[];
  volumes?: string[];
  networks?: string[];
  network_mode?: string;
  restart?: string;
  profiles?: string[];
  healthcheck?: { test?: string[]; disable?: boolean } & Record<string, unknown>;
}

export interface Compose {
  services: Record<string, Service>;
  networks: Record<
    string,
    { internal?: boolean; enable_ipv6?: boolean; ipam?: { config: { subnet: string }[] } } | null
  >;
  volumes: Record<string, unknown>;
}

export const readCompose = (path: string): Compose =>
  parse(readFileSync(path, 'utf8'), { merge: true }) as Compose;

export interface Variable {
  readonly name: string;
  /** Whether Compose refuses to start without the variable. */
  readonly required: boolean;
  readonly fallback: string;
}

/** Parses `${NAME:?message}` or `${NAME:-fallback}`; returns null for any other text. */
export function parseVariable(value: string): Variable | null {
  const [, name, operator, rest = ''] = /^\$\{(\w+):([?-])([^}]*)\}$/.exec(value) ?? [];
  if (name === undefined) return null;
  return { name, required: operator === '?', fallback: operator === '-' ? rest : '' };
}

/** The environment of a service, with the variables replaced by their values in `env`. */
export function resolveEnvironment(service: Service, env: Record<string, string>) {
  const entries = Object.entries(service.environment ?? {}).map(([name, value]) => {
    const variable = parseVariable(value);
    if (variable?.required && !env[variable.name]) throw new Error(`${variable.name} is missing`);
    return [name, variable ? env[variable.name] || variable.fallback : value];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}
