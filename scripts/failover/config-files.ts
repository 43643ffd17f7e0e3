import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { BINARIES_MISSING, findPostgresBinDir } from '../restore-drill/find-system-postgres.ts';
import { type NodeName, withTestAddresses } from './simulated-machines.ts';

/* The files in deploy/ha, with the addresses, paths and passwords of the test. Everything else is as shipped. */

export const PASSWORD = 'lessonbook';

const readShipped = (name: string): string =>
  withTestAddresses(
    readFileSync(new URL(`../../deploy/ha/${name}`, import.meta.url), 'utf8').replaceAll(
      /change-this-[\w-]+password/g,
      PASSWORD,
    ),
  );

/** The shipped file is for db1: replaces the lines that differ on the other machines. */
const forNode = (text: string, node: NodeName, lines: RegExp): string =>
  text.replaceAll(lines, (line) =>
    line.replaceAll('db1', node).replaceAll('.11', `.1${node.slice(2)}`),
  );

/** The variables of etcd.env. */
export function readEtcdEnvironment(node: NodeName, directory: string): Record<string, string> {
  const text = forNode(
    readShipped('etcd.env'),
    node,
    /^ETCD_(NAME|LISTEN_\w+|ADVERTISE_\w+|INITIAL_ADVERTISE_\w+)=.*$/gm,
  );
  const variables = [...text.matchAll(/^(ETCD_\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  return { ...Object.fromEntries(variables), ETCD_DATA_DIR: join(directory, 'etcd') };
}

interface PatroniConfig {
  bootstrap: {
    dcs: { synchronous_mode: boolean; postgresql: { parameters: Record<string, string> } };
  };
  postgresql: {
    data_dir: string;
    bin_dir: string;
    pgpass: string;
    parameters: Record<string, string>;
    pg_hba: string[];
    recovery_conf?: unknown;
  };
  watchdog: { mode: string };
}

export const dataDirectory = (directory: string): string => join(directory, 'postgresql');

export function createPatroniConfig(
  node: NodeName,
  directory: string,
  options: { synchronous: boolean; binDir: string },
): PatroniConfig {
  const lines = /^(name: .*|\s+(listen|connect_address): .*)$/gm;
  const config = parse(forNode(readShipped('patroni.yml'), node, lines)) as PatroniConfig;
  config.bootstrap.dcs.synchronous_mode = options.synchronous;
  // `npm run restore` tests archiving.
  config.bootstrap.dcs.postgresql.parameters['archive_mode'] = 'off';
  delete config.postgresql.recovery_conf;
  config.postgresql.data_dir = dataDirectory(directory);
  config.postgresql.bin_dir = options.binDir;
  config.postgresql.pgpass = join(directory, 'pgpass');
  // The namespaces share one file system.
  config.postgresql.parameters['unix_socket_directories'] = directory;
  // Namespaces have no watchdog device.
  config.watchdog.mode = 'off';
  return config;
}

/** Writes the configuration of a machine into its directory; returns the path of Patroni's file. */
export function writePatroniConfig(
  node: NodeName,
  directory: string,
  synchronous: boolean,
): string {
  const file = join(directory, 'patroni.yml');
  const binDir = findPostgresBinDir();
  if (!binDir) throw new Error(BINARIES_MISSING);
  writeFileSync(file, stringify(createPatroniConfig(node, directory, { synchronous, binDir })));
  return file;
}

export function writeHaproxyConfig(directory: string): string {
  const file = join(directory, 'haproxy.cfg');
  // HAProxy is not started as root here, so it cannot change its account.
  writeFileSync(file, readShipped('haproxy.cfg').replaceAll(/^ {2}(user|group) .*\n/gm, ''));
  return file;
}
